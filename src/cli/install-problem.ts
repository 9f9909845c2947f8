import { readFileSync } from 'node:fs';
import { packageFile } from '../process/own-files.ts';

/**
 * Why this Node.js cannot run Outpost; null: it can. Needs nothing but Node.js's own modules, so that an old one gets this
 * far.
 */
export function nodeProblem(running = process.versions.node): string | null {
  const { engines } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const needed = engines.node.replace('>=', '');
  if (running.localeCompare(needed, 'en', { numeric: true }) >= 0) return null;
  return `Outpost needs Node.js ${needed} or newer; this is ${running}. Install a newer one from https://nodejs.org.`;
}

const again =
  'Run "npm ci" again with this one; start a release archive with its own "outpost", which has its own Node.js.';

/** What is wrong with the installed native modules, if an error says so; null: the error has another cause. */
export function nativeModuleProblem(error: unknown, running = process.versions.node): string | null {
  if (!(error instanceof Error)) return null;
  const { code, message } = error as NodeJS.ErrnoException;
  // Of the package "bindings", which finds the native part of better-sqlite3 12.
  const isMissing =
    message.startsWith('Could not locate the bindings file') ||
    (code === 'MODULE_NOT_FOUND' && message.startsWith("Cannot find module 'better-sqlite3"));
  if (isMissing)
    return `The database driver for this Node.js (${running}) is not installed. ${again} Before 22.14, npm takes it from github.com or compiles it, with Python 3, a C++ compiler and the headers from nodejs.org.`;
  if (code !== 'ERR_DLOPEN_FAILED') return null;
  const [reason] = message.split('\n');
  return `A native module does not load on this machine with Node.js ${running}: ${reason} ${again}`;
}
