import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { ConfigInput } from '../../src/config/schema.ts';
import { childrenOf } from './child-processes.ts';

/** What runs as `outpost`. */
export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder with a config and a data folder of its own, in which the real `outpost` runs. */
export interface Workplace {
  folder: string;
  environment: Record<string, string>;
  /** Whom commands run as, if the tests run as root; left out: the tests' user. */
  user?: number;
  write(name: string, content: string | Buffer): Promise<string>;
  configure(config: ConfigInput): Promise<void>;
  /** Runs a command to its end. */
  outpost(...args: string[]): Promise<Ended>;
  /** Runs a command that answers with JSON. */
  // Tests look into answers freely.
  // oxlint-disable-next-line typescript/no-explicit-any
  outpostJson(...args: string[]): Promise<any>;
  /** Creates an application with every scope and registers it; resolves with the headers that its requests carry. */
  newCaller(url: string, project: string): Promise<Record<string, string>>;
  start(extra?: Record<string, string>): Promise<Running>;
  /** Starts a bot that reads a service elsewhere: it has no address. */
  startBot(extra: Record<string, string>): Promise<Running>;
  remove(): Promise<void>;
}

/** A running `outpost start`. */
export interface Running {
  url: string;
  pid: number;
  /** All that it has printed so far. */
  output(): string;
  /** Waits until a line holds the text; not for ever. */
  logged(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** The same to the processes that it has started, as when a machine stands still. Linux only. */
  signalAll(name: NodeJS.Signals): void;
  ended: Promise<Ended>;
  stop(): Promise<Ended>;
}

/** How long a line of the log is waited for, on a machine that is slow and busy. */
const patienceMs = 90_000;
/** A process that is told to end ends itself long before. */
const stopsWithinMs = 60_000;

/** For polls of the service, which admits 120 requests of a caller in any minute. */
export const callersPace = { interval: 1_000 };
/** For polls by a command, a process that keeps a core busy. */
export const commandsPace = { interval: 500 };

export async function createWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-e2e-'));
  const running = new Set<Omit<Running, 'url'>>();
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    OUTPOST_CONFIG: join(folder, 'outpost.yaml'),
    OUTPOST_DATA: join(folder, 'data'),
  };
  const launch = (args: readonly string[], extra: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [main, ...args], {
      cwd: folder,
      env: { ...environment, ...extra },
      ...(workplace.user !== undefined && { uid: workplace.user, gid: workplace.user }),
    });

  const launchStart = (extra?: Record<string, string>): Omit<Running, 'url'> => {
    const child = launch(['start'], extra);
    const { ended, output, logged } = watch(child);
    const outpost = {
      pid: child.pid as number,
      output,
      logged,
      signal: (name: NodeJS.Signals) => void child.kill(name),
      signalAll(name: NodeJS.Signals) {
        const pid = child.pid as number;
        const children = childrenOf(pid);
        if (child.kill(name)) for (const one of children) process.kill(one, name);
      },
      ended,
      async stop() {
        child.kill('SIGTERM');
        const hung = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs);
        return await ended.finally(() => clearTimeout(hung));
      },
    };
    running.add(outpost);
    void ended.then(() => running.delete(outpost));
    return outpost;
  };

  const workplace: Workplace = {
    folder,
    environment,
    async write(name, content) {
      const file = join(folder, name);
      await writeFile(file, content);
      return file;
    },
    async configure(config) {
      await workplace.write('outpost.yaml', stringify({ ...config, http: { port: 0, ...config.http } }));
    },
    outpost: async (...args) => await watch(launch(args)).ended,
    async outpostJson(...args) {
      const { code, stdout, stderr } = await workplace.outpost(...args, '--json');
      if (code !== 0) throw new Error(`outpost ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    async newCaller(url, project) {
      const options = ['--project', project, '--name', 'Test', '--scopes', 'all'];
      const app = await workplace.outpostJson('app', 'create', ...options);
      const headers = { 'User-Agent': app.id };
      const answer = await fetch(`${url}/v1/auth/register`, {
        method: 'POST',
        headers,
        body: JSON.stringify(app),
      });
      if (!answer.ok) throw new Error(`registering ended with ${answer.status}`);
      const { token } = (await answer.json()) as { token: string };
      return { ...headers, Authorization: `Bearer ${token}` };
    },
    async start(extra) {
      const { logged, output, ...outpost } = launchStart(extra);
      await logged('service listens at');
      const [, url] = /service listens at (http:[^"\s]+)/.exec(output()) as RegExpExecArray;
      return { ...outpost, logged, output, url: url as string };
    },
    async startBot(extra) {
      const bot = launchStart(extra);
      await bot.logged('the bot is online');
      return { ...bot, url: '' };
    },
    async remove() {
      await Promise.all([...running].map((outpost) => outpost.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return workplace;
}

function watch(child: ChildProcess): Pick<Running, 'ended' | 'output' | 'logged'> {
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const look of waiting) look();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    changed();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    changed();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    ended,
    output: () => stdout + stderr,
    async logged(text) {
      const found = new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${JSON.stringify(text)} is not logged: ${stdout}${stderr}`));
        }, patienceMs);
        const look = (): void => {
          if (!(stdout + stderr).includes(text)) return;
          waiting.delete(look);
          clearTimeout(late);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then(() => clearTimeout(late));
      });
      const gone = ended.then(({ code }) => {
        if (!(stdout + stderr).includes(text)) throw new Error(`ended with ${code}: ${stdout}${stderr}`);
      });
      await Promise.race([found, gone]);
    },
  };
}
