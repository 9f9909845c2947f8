// Writes into package-lock.json what npm leaves out or cannot know of the two versions of better-sqlite3
// (src/server/store/engine/driver.ts), so that `npm ci` compiles nothing where a binary is at hand. Runs at each install,
// since npm forgets the first when it writes the file.
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const text = readFileSync(path, 'utf8');
const lock = JSON.parse(text);
// Version 13 brings its binaries and says so in its package.json, but `npm ci` asks only this file: without this line it
// runs node-gyp, and where that fails, leaves the package out.
lock.packages['node_modules/better-sqlite3-13'].gypfile = false;
// Version 12 is compiled. Only a Node.js on which 13 does not run needs it: one without Node-API 10.
lock.packages['node_modules/better-sqlite3'].engines = { node: '<22.14.0 || >=23.0.0 <23.6.0' };
const complete = `${JSON.stringify(lock, null, 2)}\n`;
if (complete !== text) writeFileSync(path, complete);
