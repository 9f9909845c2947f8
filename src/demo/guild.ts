const watchersRole = '1100000000000000201';
const moderatorsRole = '1100000000000000202';
export const members = { mira: '1100000000000000301', aksel: '1100000000000000302' };

/** The guild of the demo, which `config/demo/outpost.yaml` names by its ids. */
export const guild = {
  id: '1100000000000000001',
  name: 'Northwood',
  roles: [
    { id: watchersRole, name: 'Watchers', mentionable: true },
    { id: moderatorsRole, name: 'Moderators', mentionable: true },
    { id: '1100000000000000203', name: 'Survivor' },
    { id: '1100000000000000204', name: 'Veteran' },
  ],
  members: [
    { id: members.mira, username: 'mira', displayName: 'Mira', roles: [watchersRole] },
    { id: members.aksel, username: 'aksel', displayName: 'Aksel', roles: [moderatorsRole] },
  ],
  channels: [
    { id: '1100000000000000101', name: 'server-status', topic: 'The post below edits itself.' },
    { id: '1100000000000000102', name: 'general', topic: 'Type / to see what the bot can do.' },
    { id: '1100000000000000103', name: 'moderators', topic: 'Act as Aksel to check bans.' },
    {
      id: '1100000000000000104',
      name: 'leaderboards',
      topic: 'The post below edits itself, too.',
    },
    {
      id: '1100000000000000106',
      name: 'kill-feed',
      topic: 'What the logs of the two servers report, as it happens.',
    },
    { id: '1100000000000000107', name: 'weekly-recap', topic: 'Each Monday: who and what was first.' },
    { id: '1100000000000000105', name: 'alerts', topic: 'Posts when many are playing, or a server is down.' },
  ],
};
