// npx tsx example/follow.ts sftp://USER:PASSWORD@HOST:22/profiles
// Lists the admin logs in a folder, and prints the newest one as it grows.
import { setTimeout as sleep } from 'node:timers/promises';
import { RemotePlaces } from 'game-files';

const url = new URL(process.argv[2] ?? 'sftp://user:password@127.0.0.1:22/profiles');
const places = new RemotePlaces();
const host = places.at({
  type: 'sftp',
  host: url.hostname,
  port: Number(url.port || 22),
  username: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
});
const source = host.of('admin logs');

const folder = decodeURIComponent(url.pathname);
const logs = await source.list(folder, { matching: /\.ADM$/i, stat: 'all' });
for (const { name, stat } of logs) console.log(`${name}: ${stat?.size ?? 'unknown'} bytes`);
const newest = logs.toSorted((a, b) => (a.stat?.changedAt ?? 0) - (b.stat?.changedAt ?? 0)).at(-1);
if (newest === undefined) throw new Error(`no log in ${folder}`);

const path = source.path.join(folder, newest.name);
for (let offset = 0; ;) {
  const { stat, parts } = await source.read(path, [{ offset, length: 256 * 1024 }]);
  const added = parts[0] ?? Buffer.alloc(0);
  process.stdout.write(added);
  // A shorter file is another one.
  offset = stat.size < offset ? 0 : offset + added.length;
  if (offset === stat.size) await sleep(source.pollEveryMs);
}
