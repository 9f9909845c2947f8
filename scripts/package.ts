// Packs a release for this platform: the built program, what it needs of node_modules, and the Node.js that runs this
// script, since native modules are made for one platform and may be made for one Node.js. Runs its demo to try it. Needs a
// built dist/.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pack } from './package/archive.ts';
import { licensePlaces, needsLibraries, timeOfRelease } from './package/surroundings.ts';
import { tryArchive } from './package/try-archive.ts';
import { stageApp, stageArchive, type NodeDistribution } from './package/staging.ts';

const usage = `npm run package -- [options]

  --out FOLDER           where the archive goes (default: release/)
  --node-license FILE    the license of this Node.js, if it is not found beside it
  --app FOLDER           no archive: only the program, to run with this Node.js, as an image needs it`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'release') },
    'node-license': { type: 'string' },
    app: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(usage);
else if (!existsSync(join(root, 'dist/main.js'))) fail('expected a built dist/: run "npm run build" first');
else if (values.app !== undefined) stageNewApp(resolve(values.app));
else await packRelease(resolve(values.out), values['node-license']);

function stageNewApp(folder: string): void {
  if (existsSync(folder)) fail(`expected a folder that does not exist yet, found ${folder}`);
  stageApp(root, folder);
  console.log(folder);
}

async function packRelease(out: string, license: string | undefined): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const isWindows = process.platform === 'win32';
  const system = isWindows ? 'win' : process.platform;
  const folder = join(out, `outpost-${version}-${system}-${process.arch}`);
  const node = thisNode(license);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    stageArchive(root, folder, node);
    const archive = await pack(folder, isWindows, timeOfRelease(root));
    const { statuses, code } = await tryArchive(archive);
    const isWell = statuses.every((status) => status === 200) && (code === 0 || isWindows);
    if (!isWell) fail(`${archive} does not work: ${JSON.stringify({ statuses, code })}`);
    console.log(archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function thisNode(given: string | undefined): NodeDistribution {
  const binary = realpathSync(process.execPath);
  const places = given === undefined ? licensePlaces(binary) : [given];
  const license = places.find((path) => existsSync(path));
  if (license === undefined) {
    fail(`expected the license of Node.js at ${places.join(' or ')}; name its file with --node-license`);
  }
  if (needsLibraries()) {
    console.error(
      'This Node.js needs libraries of its distribution, so the archive runs only where they are installed. For one that runs elsewhere, use the Node.js of nodejs.org.',
    );
  }
  return { binary, license };
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
