/** View Channel, Send Messages, Embed Links, Attach Files, Read Message History. */
const permissions = 117_760;

/** The link that adds the bot to a Discord server with every right that it uses. */
export function inviteLink(applicationId: string): string {
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`;
}
