/** Where `worker --embedded` keeps its PostgreSQL and its files unless it is given a folder, and where other commands look for them. */
export const embeddedFolder = './chatferry-fleet';
