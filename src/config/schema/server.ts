import nativePath from 'node:path';
import { z } from 'zod';
import * as resource from '../../api/resources.ts';
import { factsOf, ofAllGames, usualGameType } from '../../server/games/table.ts';
import { files } from './files.ts';
import { secret } from './secret.ts';
import { host, id, joinAddress, moment, path, port, text, timezone } from './values.ts';

/** What the queries of some games need besides the address. The keys are those of GameDig. */
export const query = z.strictObject({
  username: text(255).optional(),
  password: secret.optional(),
  login: text(255).optional(),
  token: secret.optional(),
  apiKey: secret.optional(),
  accountId: text(255).optional(),
  serverId: text(255).optional(),
  guildId: z
    .string({ error: 'expected the id in quotes' })
    .regex(/^\d{15,21}$/, { error: 'expected an id of 15 to 21 digits, in quotes' })
    .optional(),
  telnetPort: port.optional(),
  telnetPassword: secret.optional(),
  teamspeakQueryPort: port.optional(),
  rejectUnauthorized: z.boolean().optional().describe('true: the certificate of the server has to be valid'),
});

const ownSchedule = z.strictObject({
  source: z.literal('config').optional().describe('default: the schedule is defined here'),
  kind: z.enum(resource.scheduleKinds),
  title: text(100),
  description: text(1000).optional(),
  recurrence: z.enum(resource.recurrences),
  intervalMinutes: z.int().min(1).max(525_600).optional().describe('INTERVAL: minutes from one to the next'),
  timeOfDay: z
    .string({ error: 'expected a time of day in quotes, such as "02:00"' })
    .regex(resource.timeOfDayPattern, { error: 'expected a time of day "HH:mm", 00:00 to 23:59' })
    .optional()
    .describe('DAILY, WEEKLY: when; INTERVAL: the time on which the interval is anchored, else 00:00'),
  weekdays: z.array(z.enum(resource.weekdays)).optional().describe('WEEKLY: on which days'),
  timezone: timezone.optional().describe("default: the server's"),
  public: z.boolean().default(false).describe('false: kept from the service and the bot'),
  active: z.boolean().default(true),
});

/** Each recurrence has keys of its own. */
const timedSchedule = ownSchedule.superRefine(
  ({ recurrence, intervalMinutes, timeOfDay, weekdays = [] }, context) => {
    const expect = (key: string, isMet: boolean, what: string): void => {
      if (!isMet)
        context.addIssue({
          code: 'custom',
          path: [key],
          message: `expected ${what}, since recurrence is ${recurrence}`,
        });
    };
    if (recurrence === 'INTERVAL')
      expect('intervalMinutes', intervalMinutes !== undefined, 'a number of minutes');
    else expect('timeOfDay', timeOfDay !== undefined, 'a time of day "HH:mm"');
    if (recurrence === 'WEEKLY') expect('weekdays', weekdays.length > 0, 'a list of days such as [MON, FRI]');
    else {
      // It would happen on all days.
      const hasEach = new Set(weekdays).size === resource.weekdays.length;
      expect('weekdays', weekdays.length === 0 || hasEach, 'no days, which only WEEKLY has');
    }
  },
);

const restartSchedule = z.strictObject({
  source: z.literal('messages.xml').describe('the restart that the game itself announces in that file'),
  file: path.optional().describe("default: that of the mission of the server's playersDb"),
  title: text(100).default('Restart'),
  description: text(1000).optional(),
  public: z
    .boolean()
    .default(true)
    .describe('the game announces it to everyone; false: kept from the service'),
  active: z.boolean().default(true),
});

const schedule = z.discriminatedUnion('source', [timedSchedule, restartSchedule], {
  error: 'expected a schedule with source "messages.xml", or without a source',
});

const serverKeys = z.strictObject({
  id: id.describe('the {serverId} of the service; all history belongs to it, so a new one needs formerly'),
  formerly: id
    .optional()
    .describe('the id that it had before: its history moves to the new one at the next start; may go then'),
  name: text(100),
  game: z.string().default(usualGameType),
  host: host.describe('address on which the game server answers queries, which are sent over IPv4 only'),
  port: port.describe('game port'),
  queryPort: port.optional().describe('absent: no live list of players'),
  query: query
    .optional()
    .describe('what the queries of some games need besides the address ("outpost check-config" says what)'),
  joinAddress: joinAddress
    .optional()
    .describe(
      'where players connect; default: host and port. Buttons to join lead Steam to its host and queryPort, or to a port here that is not the game port. Where http.publicUrl is not set, the bot shows it as text',
    ),
  timezone: timezone.default('UTC').describe('of the machine that writes the logs'),
  files: files
    .optional()
    .describe('where the files of this server lie; default: on this machine. The paths are then paths there'),
  logs: path
    .optional()
    .describe(
      `folder of ${ofAllGames(({ words }) => words.logFiles)}; default for files at Nitrado: config, in the game folder`,
    ),
  playersDb: path
    .optional()
    .describe(`the file of characters: ${ofAllGames(({ characterFile }) => characterFile?.path)}`),
  map: text(60)
    .optional()
    .describe('the name of the map, such as enoch, for heat maps of a server that no query tells'),
  mapSince: moment
    .optional()
    .describe(
      'when the server got this map, if it had another one before; heat maps leave out what happened until then',
    ),
  mapImage: path
    .optional()
    .describe(
      'a PNG or JPEG on this machine with the whole map, square and north up, below heat maps; default: a grid',
    ),
  schedules: z.array(schedule).default([]),
  active: z.boolean().default(true),
});

/** Paths at a host are as they are seen after the login, and a restart schedule has to have a file. */
const checkedKeys = serverKeys.superRefine((server, context) => {
  for (const key of ['logs', 'playersDb'] as const)
    if (server.files !== undefined && server[key]?.includes('\\') === true)
      context.addIssue({
        code: 'custom',
        path: [key],
        message: 'expected a path with / instead of \\, as it is seen after the login',
      });
  for (const [index, schedule] of server.schedules.entries())
    if (schedule.source === 'messages.xml' && (schedule.file ?? server.playersDb) === undefined)
      context.addIssue({
        code: 'custom',
        path: ['schedules', index, 'file'],
        message:
          'expected the path of messages.xml, since there is no playersDb that shows where the mission is',
      });
});

/** A game server, its files and schedules. Its game is checked with the references. */
export const server = checkedKeys.transform((server) => {
  const path = server.files === undefined ? nativePath : nativePath.posix;
  const game = factsOf(server.game);
  const logs = server.logs ?? (server.files && game?.usualLogs?.[server.files.type]);
  return {
    ...server,
    ...(logs !== undefined && { logs }),
    schedules: server.schedules.map((schedule) =>
      schedule.source === 'messages.xml'
        ? { ...schedule, file: schedule.file ?? game?.restartFile?.(server.playersDb ?? '', path) ?? '' }
        : schedule,
    ),
  };
});
