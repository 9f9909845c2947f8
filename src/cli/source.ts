import { FileError, type KnownHosts, type Place, RemotePlaces } from 'game-files';
import { placeKinds } from '../config/schema/files.ts';
import { fileProblem } from '../server/files/errors.ts';
import {
  findTrustedHost,
  howToAccept,
  trustHost,
} from '../server/store/repositories/projects/trusted-hosts.ts';
import { keyAddressOf } from './known-hosts.ts';
import { confirm } from './confirm.ts';
import { withNewStore } from './open-store.ts';
import { CommandFailure, type Output, printResult } from './output.ts';
import { configuredServer } from './configured-server.ts';

export async function trust(output: Output, id: string, options: { yes?: boolean }): Promise<void> {
  const { place, address } = securedPlace(id);
  const now = await shownKey(place);
  await withNewStore(async (db) => {
    const before = await findTrustedHost(db, address);
    const result = { server: id, address, before, now };
    const keys = [address, `  known by  ${before ?? 'nothing yet'}`, `  shows now ${now}`];
    if (now === before) {
      const text = [...keys, 'Nothing needs to be accepted.'].join('\n');
      printResult(output, { ...result, accepted: false }, text);
      return;
    }
    if (options.yes !== true) {
      if (!output.json) output.err(keys.join('\n'));
      await confirm(
        'Is this the key that the host announced?',
        'Nothing was accepted.',
        `${keys.join('\n')}\nIf this is the key that the host announced, add --yes.`,
      );
    }
    await trustHost(db, address, now);
    const text = [...keys, 'Accepted. A running Outpost tries it within a minute.'].join('\n');
    printResult(output, { ...result, accepted: true }, text);
  });
}

function securedPlace(id: string): { place: Place; address: string } {
  const { files } = configuredServer(id);
  if (files === undefined) throw new CommandFailure(`The files of ${id} are on this machine.`);
  const address = keyAddressOf(files);
  if (address !== null) return { place: files, address };
  throw new CommandFailure(`The files of ${id} are ${placeKinds[files.type].noKey}.`);
}

/** The fingerprint that a host shows now, or `knownAuthority`. Nothing secret is sent. */
async function shownKey(place: Place): Promise<string> {
  let shown: string | null = null;
  const knownHosts: KnownHosts = {
    howToAccept,
    find: async () => null,
    async trust(_, fingerprint) {
      shown = fingerprint;
      throw new FileError({ code: 'EREMOTE', message: 'the login ends here' });
    },
  };
  const remote = new RemotePlaces({ knownHosts });
  try {
    await remote.at(place).login();
  } catch (error) {
    if (shown === null) throw new CommandFailure(fileProblem(error), { cause: error });
  } finally {
    await remote.close();
  }
  if (shown === null) throw new CommandFailure('the host shows no key');
  return shown;
}
