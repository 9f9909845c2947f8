// Takes the terminal's pictures of the documentation: `help` those of --help alone, else `outpost init` and `outpost doctor`
// too, which need tmux and a built dist/.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandHelp } from './command-help.ts';
import { takeSetupPictures } from './setup-pictures.ts';
import { terminalSvg } from './terminal-svg.ts';

// Help is as wide as the terminal.
process.stdout.columns = 80;
const folder = fileURLToPath(new URL('../docs/terminal', import.meta.url));
await mkdir(folder, { recursive: true });

const save = (name: string, screen: string, title: string): Promise<void> =>
  writeFile(join(folder, `${name}.svg`), terminalSvg(screen, title));

for (const file of await readdir(folder)) if (file.startsWith('help-')) await rm(join(folder, file));
const screens = await commandHelp();
for (const [name, screen] of screens) {
  await save(`help-${name}`, screen, name === 'outpost' ? 'outpost --help' : `outpost ${name} --help`);
}
const pictures = [...screens.keys()].map((name) => {
  const command = name === 'outpost' ? name : `outpost ${name}`;
  return `## ${command}\n\n![The help of ${command}](terminal/help-${name}.svg)`;
});
const intro = `# Commands

Every command with its options, as \`--help\` prints them. The ones that owners use most:

| to                                     | use                                                                        |
| -------------------------------------- | -------------------------------------------------------------------------- |
| try everything on this machine         | [\`outpost demo\`](#outpost-demo)                                            |
| write the config, with a few questions | [\`outpost init\`](#outpost-init)                                            |
| run the service and the bot            | [\`outpost start\`](#outpost-start)                                          |
| find out why something does not work   | [\`outpost doctor\`](#outpost-doctor)                                        |
| import older logs, players and bans    | [\`outpost import\`](#outpost-import)                                        |
| ban a player, or lift a ban            | [\`outpost ban\`](#outpost-ban)                                              |
| hide, forget or export a player        | [\`outpost player\`](#outpost-player)                                        |
| let a site or another bot read         | [\`outpost app\`](#outpost-app)                                              |
| back the data up, and get them back    | [\`outpost backup\`](#outpost-backup), [\`outpost restore\`](#outpost-restore) |

[Operation](operation.md#the-command-line) says how to call a command in a container or an unpacked archive.`;
await writeFile(join(folder, '../commands.md'), `${[intro, ...pictures].join('\n\n')}\n`);

if (process.argv[2] !== 'help') await takeSetupPictures(save);
