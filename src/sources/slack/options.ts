import { z } from 'zod';

export const slackOptionsSchema = z.lazy(() =>
  z.strictObject({
    includeUnfurls: z
      .boolean()
      .default(false)
      .describe(
        'Add the previews that Slack made of links to the text of messages. Default false: the links themselves are in the text, ' +
          'previews repeat them and make messages several times longer. A message that is nothing but a preview keeps it either way.',
      ),
    fileTokens: z
      .enum(['remove', 'keep'])
      .default('remove')
      .describe(
        'The token that Slack puts behind addresses of files, with which everybody can open them: remove it, or keep it in the addresses ' +
          'that are sent. Default remove: the files then need a login to Slack. Keep it only where every member may see every file, and ' +
          'until the files were copied.',
      ),
    escapeText: z
      .boolean()
      .default(false)
      .describe(
        'Backslashes before what people typed and Markdown takes for markup, such as "#" or "1." at the beginning of a line. Default false: ' +
          'texts are sent as they were typed, because a chat that shows plain text would show the backslashes; how many look otherwise in ' +
          'Markdown is counted. Set it if the app shows Markdown.',
      ),
  }),
);

export type SlackOptions = z.output<typeof slackOptionsSchema>;
