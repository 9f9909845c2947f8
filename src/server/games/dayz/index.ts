import { adminLog } from './admin-log.ts';
import { serverConsole, serverReport } from './identity-log.ts';

/** The logs of a DayZ server, those that are counted first. */
export const dayzLogs = [adminLog, serverReport, serverConsole] as const;
