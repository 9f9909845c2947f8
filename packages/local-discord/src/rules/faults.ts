import { DiscordError } from '../errors.ts';
import type { Json } from '../discord-types.ts';
import { readCommands } from './commands.ts';
import { readMessageBody, refuseEmpty } from './messages.ts';

/**
 * What Discord would refuse of a message that is sent or edited, one text for each fault: `embeds.0.title: …`. The rules
 * are those by which this local Discord answers. `isNew`: it is created, not edited.
 */
export function messageFaults(
  body: Json,
  { isNew, files = [] }: { isNew: boolean; files?: readonly string[] },
): string[] {
  return faultsOf(() => {
    const { content = '', embeds = [], components = [] } = readMessageBody(body);
    if (isNew) refuseEmpty({ content, embeds, components, files: files.length });
  });
}

/** The same of command definitions that are registered together. */
export function commandFaults(commands: readonly unknown[]): string[] {
  return faultsOf(() => readCommands(commands, true));
}

function faultsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (error.faults.length === 0) return [error.message];
    return error.faults.map(({ path, fault: [code, message] }) => `${path.join('.')}: ${message} (${code})`);
  }
}
