import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The page as it is built: also for the sources beside this file, which no browser reads. */
const pageFolder = fileURLToPath(new URL('../../dist/page/', import.meta.url));

/** Packages that the page's modules import by name, and what their bare names stand for in a browser. */
const packages: Record<string, string> = {
  lit: 'index.js',
  'lit-html': 'lit-html.js',
  'lit-element': 'index.js',
  '@lit/reactive-element': 'reactive-element.js',
  '@lit/context': 'index.js',
};

/** The one of them whose `exports` lead to files of other names. */
const componentsPackage = '@skyra/discord-components-core';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface StaticFile {
  contentType: string;
  body: Buffer;
}

/** Folder of each package, found as its importer finds it, so that nested installs work too. */
function packageFolders(): Map<string, string> {
  const own = createRequire(import.meta.url);
  const folders = new Map<string, string>();
  const find = (require: NodeJS.Require, name: string): string => {
    // Some of these packages export no package.json; their entry leads to it.
    const entry = require.resolve(name);
    const tail = join('node_modules', ...name.split('/'));
    return entry.slice(0, entry.lastIndexOf(tail) + tail.length);
  };
  folders.set(componentsPackage, find(own, componentsPackage));
  const components = createRequire(join(folders.get(componentsPackage) ?? '', 'package.json'));
  for (const name of ['lit', '@lit/context']) folders.set(name, find(components, name));
  const lit = createRequire(join(folders.get('lit') ?? '', 'package.json'));
  for (const name of ['lit-html', 'lit-element', '@lit/reactive-element']) folders.set(name, find(lit, name));
  return folders;
}

let folders: Map<string, string> | undefined;
let map: string | undefined;

/** The import map that lets a browser resolve those packages from this server. */
async function importMap(): Promise<string> {
  const imports: Record<string, string> = {};
  folders ??= packageFolders();
  const manifest = await readFile(join(folders.get(componentsPackage) ?? '', 'package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as { exports: Record<string, string> };
  for (const [path, target] of Object.entries(exports)) {
    imports[componentsPackage + path.slice(1)] = `/modules/${componentsPackage}${target.slice(1)}`;
  }
  for (const [name, entry] of Object.entries(packages)) {
    imports[name] = `/modules/${name}/${entry}`;
    imports[`${name}/`] = `/modules/${name}/`;
  }
  return JSON.stringify({ imports });
}

async function read(folder: string, path: string): Promise<StaticFile | null> {
  const file = join(folder, path);
  const contentType = contentTypes[extname(file)];
  if (!contentType || !file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return null;
  try {
    return { contentType, body: await readFile(file) };
  } catch {
    return null;
  }
}

/** A file of the page (`/page/…`) or of one of its packages (`/modules/…`); null for anything else. */
export async function staticFile(path: string): Promise<StaticFile | null> {
  if (path.includes('..') || path.includes('\0')) return null;
  if (path.startsWith('/page/')) return read(pageFolder, path.slice('/page/'.length));
  if (!path.startsWith('/modules/')) return null;
  const inside = path.slice('/modules/'.length);
  folders ??= packageFolders();
  for (const [name, folder] of folders) {
    if (inside.startsWith(`${name}/`)) return read(folder, inside.slice(name.length + 1));
  }
  return null;
}

/** The page with its import map put in; `nonce` lets the browser run that one inline script. */
export async function indexPage(nonce: string): Promise<Buffer> {
  const template = await readFile(join(pageFolder, 'index.html'), 'utf8');
  map ??= await importMap();
  const script = `<script type="importmap" nonce="${nonce}">${map}</script>`;
  return Buffer.from(template.replace('<!-- import map -->', () => script));
}
