// The help of the command line, for its pictures and their test.
import { run } from '../src/cli/program.ts';

/** What `outpost … --help` prints. */
async function helpOf(...words: string[]): Promise<string> {
  let text = '';
  const output = { out: (part: string) => void (text += `${part}\n`), err: () => undefined };
  await run([...words, '--help'], output);
  return text.trimEnd();
}

/** Names in the sections of commands of a help text: those after the options. */
function commandsIn(help: string): string[] {
  const [, rest = ''] = help.split('\nOptions:\n');
  const [section = ''] = rest.split('\nExamples:\n');
  return [...section.matchAll(/^ {2}([a-z][\w-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

/** The help as a terminal shows it, by the name of its picture: all commands, and each of them with its subcommands. */
export async function commandHelp(): Promise<Map<string, string>> {
  const all = await helpOf();
  const screens = new Map([['outpost', `$ outpost --help\n${all}`]]);
  for (const name of commandsIn(all)) {
    const help = await helpOf(name);
    const parts = [`$ outpost ${name} --help\n${help}`];
    for (const sub of commandsIn(help))
      parts.push(`$ outpost ${name} ${sub} --help\n${await helpOf(name, sub)}`);
    screens.set(name, parts.join('\n\n'));
  }
  return screens;
}
