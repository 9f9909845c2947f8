import { adminLog, howKilled, serverConsole, serverReport } from 'dayz-files';
import type { GameCode } from '../game.ts';

export const game: GameCode = { logs: [adminLog, serverReport, serverConsole], howKilled };
