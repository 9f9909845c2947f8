/** Commands of every kind that the page shows, as a bot registers them. */
export const commands = [
  { name: 'status', description: 'How the servers are' },
  {
    name: 'top',
    description: 'Leaderboards',
    name_localizations: { de: 'rangliste' },
    options: [
      {
        type: 3,
        name: 'metric',
        description: 'Which figure',
        required: true,
        choices: [
          { name: 'Player kills', value: 'PLAYER_KILLS' },
          { name: 'Longest shot', value: 'LONGEST_SHOT' },
        ],
      },
      { type: 4, name: 'limit', description: 'How many rows', min_value: 1, max_value: 25 },
    ],
  },
  {
    name: 'online',
    description: 'Who is on',
    options: [{ type: 3, name: 'server', description: 'Which server', required: true, autocomplete: true }],
  },
  { name: 'bans', description: 'Bans', default_member_permissions: '4' },
  { name: 'setup', description: 'Asks with menus' },
  { name: 'silent', description: 'Never answers' },
];
