/**
 * Names that columns usually have for each field, in letters and digits only, the more telling first. From tables of
 * customers' own chats; German names too, because many of those were German, and a few others.
 */
export const aliases = {
  message: {
    id: 'messageid msgid id uuid guid key pk messageuuid nachrichtid',
    time: 'createdat createat timestamp sentat ts datetime datesent senttime sentdate created createdon createdtime datecreated messagetime postedat postdate insertedat time date sent when datum zeit zeitpunkt gesendetam gesendet erstelltam uhrzeit fecha timecreated messagedate',
    timeOfDay: 'time timeofday uhrzeit zeit senttime hour',
    author:
      'userid senderid authorid fromuserid useridfrom fromid fromnumber fromphone fromaddress useruuid senderuid uid from fromuser sender author user createdby senderemail fromemail useremail email username absender verfasser von benutzer autor remitente expéditeur',
    authorName:
      'username sendername authorname senderfullname senderdisplayname authorfullname displayname userdisplayname fromname nickname fullname userfullname screenname name absendername',
    conversation:
      'conversationid channelid roomid chatid threadid groupid chatroomid dialogid topicid ticketid chatuuid channelurl room channel conversation chat thread group ticket channelname roomname raum kanal gespraech',
    conversationName: 'conversationname channelname roomname chatname threadname groupname subject title betreff',
    recipient:
      'recipientid receiverid touserid useridto toid tonumber tophone toaddress recipient receiver touser to recipientemail toemail receiveremail empfaenger empfanger an destinatario destinataire',
    text: 'text body message content fullmessage txt msg messagetext messagebody messagecontent bodytext plaintext comment html bodyhtml htmlbody nachricht inhalt mensaje texto',
    reply:
      'parentid replyto replytoid inreplyto parentmessageid threadparentid threadts replytomessageid rootid antwortauf',
    quote: 'quotedid quotedmessageid quoteid quoteof',
    edited: 'editedat editat edited isedited lasteditedat lastedittime updatedat modifiedat dateupdated',
    deleted: 'deletedat deleteat isdeleted deleted removed isremoved removedat geloescht geloeschtam',
    pinned: 'pinned ispinned pinnedat',
    kind: 'messagetype msgtype type kind messagekind',
    attachmentUrl: 'attachmenturl fileurl imageurl mediaurl attachmentlink image photo file attachment media anhang',
    attachmentName: 'attachmentname filename imagename medianame',
    attachmentType: 'attachmenttype filetype mimetype imagetype mediatype contenttype',
    attachmentSize: 'attachmentsize filesize imagesize mediasize',
    attachmentList: 'attachments files media images documents uploads',
    reactionList: 'reactions emojireactions',
    reaction: 'reaction emoji reactionname reactionemoji reactiontype',
    reactionUser: 'reactedby reactor reactionuser reactionuserid reactionby reactionauthor',
  },
  user: {
    id: 'userid uid id uuid guid key benutzerid',
    name: 'displayname fullname realname name benutzername nickname nick screenname fn',
    firstName:
      'firstname givenname vorname nombre prenom nome imie ad voornaam fornamn fornavn jmeno etunimi keresztnev prenume',
    lastName:
      'lastname surname familyname nachname apellidos apellido nom cognome sobrenome nazwisko soyad achternaam efternamn efternavn prijmeni sukunimi vezeteknev nume',
    handle: 'username handle login userlogin slug',
    email: 'email mail emailaddress useremail',
    avatarUrl: 'avatarurl avatar picture photo imageurl profileimage profilepicture photourl',
    role: 'role userrole rolle',
    isBot: 'isbot bot',
    isDeleted: 'isdeleted deleted deletedat deactivated deactivatedat isdeactivated disabled',
    createdAt: 'createdat created registered userregistered registeredat joinedat signupdate datejoined',
  },
  conversation: {
    id: 'conversationid channelid roomid chatid threadid groupid id uuid guid key',
    type: 'type kind roomtype channeltype conversationtype visibility',
    name: 'displayname title name subject roomname channelname conversationname label titel bezeichnung nom titre titulo nombre',
    topic: 'topic thema',
    description: 'description purpose about beschreibung',
    creator: 'createdby creatorid ownerid creator owner createdbyid',
    members: 'members participants memberids participantids userids users',
    createdAt: 'createdat created datecreated createdon',
    isArchived: 'isarchived archived archivedat',
  },
  member: {
    role: 'role memberrole userrole scope',
    isAdmin: 'isadmin admin schemeadmin',
    joinedAt:
      'joinedat joined joindate datejoined membersince addedat createdat created timecreated datecreated insertedat',
  },
} as const;

/** A name as aliases are written: `user.createdAt` and `User_Created-At` are `usercreatedat`; umlauts become two letters. */
function normalised(name: string): string {
  const letters = name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
  return letters.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Columns that have one of the names, the most telling first. A path also counts by its last key, behind the others. */
export function columnsNamed(names: readonly string[], list: string): readonly string[] {
  const ranks = new Map(list.split(' ').map((alias, rank) => [alias, rank]));
  const ranked = names.flatMap((name) => {
    // A field around a list must be matched by its whole name.
    const last =
      name.includes('.') && !name.startsWith('$outer.') ? ranks.get(normalised(name.split('.').at(-1)!)) : undefined;
    const rank = ranks.get(normalised(name)) ?? (last === undefined ? undefined : last + ranks.size);
    return rank === undefined ? [] : [{ name, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ name }) => name);
}

/** The same of columns. */
export const withNames = <T extends { readonly name: string }>(columns: readonly T[], list: string): readonly T[] =>
  columnsNamed(
    columns.map(({ name }) => name),
    list,
  ).map((name) => columns.find((one) => one.name === name)!);
