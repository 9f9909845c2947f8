/** View Channel, Send Messages, Embed Links, Attach Files. */
const permissions = 52_224;
const manageRoles = 268_435_456;

/**
 * The link that adds the bot to a Discord server with every right that it uses.
 * @param managesRoles whether the config has roles that the bot gives
 */
export function inviteLink(applicationId: string, managesRoles = false): string {
  const wanted = managesRoles ? permissions + manageRoles : permissions;
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${wanted}`;
}
