import { systemClock } from '../../../process/clock.ts';
import { FileError } from '../file-port.ts';
import type { HostTrust } from './host-trust.ts';
import type { Place } from './place.ts';
import { RemotePlaces } from './remote-places.ts';

/**
 * The fingerprint that a host shows now, or `knownAuthority`. Nothing secret is sent.
 * @throws FileError when the host cannot be reached
 */
export async function shownKey(place: Place): Promise<string> {
  let shown: string | null = null;
  const trust: HostTrust = {
    find: async () => null,
    async trust(_, fingerprint) {
      shown = fingerprint;
      throw new FileError({ code: 'EREMOTE', message: 'the login ends here' });
    },
  };
  const remote = new RemotePlaces({ clock: systemClock, trust });
  try {
    await remote.at(place).login?.();
  } catch (error) {
    if (shown === null) throw error;
  } finally {
    await remote.close();
  }
  if (shown === null) throw new FileError({ code: 'EREMOTE', message: 'the host shows no key' });
  return shown;
}
