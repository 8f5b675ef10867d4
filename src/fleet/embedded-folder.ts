/** Folder in which `worker --embedded` keeps its PostgreSQL and its files by default, and in which other commands look for them. */
export const embeddedFolder = './chatferry-fleet';
