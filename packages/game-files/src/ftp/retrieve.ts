import type { Socket } from 'node:net';
import { type Client, FTPError } from 'basic-ftp';
import { within } from '../time-limit.ts';
import type { FileRange } from '../file-access.ts';
import { cannotResume, LinkLost } from '../remote/session.ts';

/** Where the data connection has ended, a server says at once whether the transfer is complete. */
const lastAnswerMs = 5_000;

/** Source: RFC 959, 4.2: the service closes, or a data connection failed. */
const connectionCodes = [421, 425, 426];
const noSuchFile = 550;

/**
 * Receives the bytes of a range, fewer only where the transfer ends. FTP has no command for a part of a file: a transfer begins
 * at an offset, and is cut when enough has arrived.
 * @throws FTPError when the server refuses, `LinkLost` when the connection is at fault
 */
export async function retrieve(client: Client, path: string, { offset, length }: FileRange): Promise<Buffer> {
  const { ftp } = client;
  await client.prepareTransfer(ftp);
  const data = ftp.dataSocket;
  if (data === undefined) throw new LinkLost('the data connection was cut');
  try {
    const { ended } = await begin(client, path, offset);
    const bytes = await receive(data, length, ended);
    data.destroy();
    await lastAnswer(ended, bytes.length === length);
    return bytes;
  } finally {
    data.destroy();
  }
}

interface Transfer {
  /** Settles with the server's last answer. */
  ended: Promise<void>;
}

/** Resolves when the server begins to send. Some servers accept an offset, and then refuse to send the file from there. */
async function begin(client: Client, path: string, offset: number): Promise<Transfer> {
  if (offset === 0) return await requested(client, path);
  await client.ftp.request(`REST ${offset}`).catch(cannotResumeUnless(connectionCodes));
  return await requested(client, path).catch(cannotResumeUnless([...connectionCodes, noSuchFile]));
}

/** @param codes the refusals that are not about the offset */
const cannotResumeUnless =
  (codes: readonly number[]) =>
  (error: unknown): never => {
    throw error instanceof FTPError && !codes.includes(error.code) ? cannotResume(error.message) : error;
  };

async function requested({ ftp }: Client, path: string): Promise<Transfer> {
  return await new Promise((resolve, reject) => {
    const ended = ftp.handle(`RETR ${path}`, (reply, task) => {
      if (reply instanceof Error) {
        reject(reply);
        task.reject(reply);
        return;
      }
      // It says nothing more until the transfer ends.
      ftp.socket.setTimeout(0);
      resolve({ ended });
      if (reply.code >= 200) task.resolve(undefined);
    }) as Promise<void>;
    ended.catch(() => undefined);
  });
}

/** @param ended what a lost control connection settles, which silences the other one */
async function receive(data: Socket, length: number, ended: Promise<void>): Promise<Buffer> {
  const failed = new Promise<never>((_, reject) => void ended.catch(reject));
  failed.catch(() => undefined);
  // Left without an error, which would end the control connection as well.
  const chunks = data.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  const received: Buffer[] = [];
  try {
    for (let bytes = 0; bytes < length;) {
      const next = await Promise.race([chunks.next(), failed]);
      if (next.done === true) break;
      received.push(next.value);
      bytes += next.value.length;
    }
  } catch (error) {
    throw new LinkLost(`the data connection was cut: ${(error as Error).message}`);
  }
  return Buffer.concat(received).subarray(0, length);
}

/** @param isCut whether this side has ended the transfer, which the server may report as a failure */
async function lastAnswer(ended: Promise<void>, isCut: boolean): Promise<void> {
  try {
    if ((await within(ended, lastAnswerMs)) === 'late')
      throw new Error('the server does not say whether the transfer is complete');
  } catch (error) {
    if (isCut && error instanceof FTPError && error.code !== 421) return;
    throw new LinkLost((error as Error).message);
  }
}
