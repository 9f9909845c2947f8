import { type Client, FTPError } from 'basic-ftp';
import { LinkLost } from '../session.ts';

/**
 * Up to this many surplus bytes are received rather than closing the connection, after which some servers need a
 * moment.
 */
const slackBytes = 64 * 1024;

/**
 * Downloads a part of a file. An FTP command gives only the start, so if much more follows, the data connection is
 * closed.
 * @param length bytes; fewer are returned only if the file ends or the server stopped
 * @throws FTPError when the server refuses, `LinkLost` when it stopped
 */
export async function retrieve(
  client: Client,
  path: string,
  offset: number,
  length: number,
): Promise<Buffer> {
  const { ftp } = client;
  await client.prepareTransfer(ftp);
  const data = ftp.dataSocket;
  if (data === undefined) throw new LinkLost('the data connection was cut');
  if (offset > 0) await ftp.request(`REST ${offset}`);
  const chunks: Buffer[] = [];
  let received = 0;
  let isCut = false;
  const ended = new Promise<void>((resolve, reject) => {
    data.on('data', (chunk: Buffer) => {
      if (received < length) chunks.push(chunk);
      received += chunk.length;
      isCut = received >= length + slackBytes;
      if (isCut) data.destroy();
    });
    data.once('close', (hadError: boolean) => {
      if (hadError) reject(new LinkLost('the data connection was cut'));
      else resolve();
    });
  });
  ended.catch(() => undefined);
  let hasBegun = false;
  await ftp.handle(`RETR ${path}`, (answer, task) => {
    if (answer instanceof Error) {
      // Closing the connection makes the server report it as closed.
      if (answer instanceof FTPError && hasBegun && isCut && answer.code !== 421) task.resolve(undefined);
      else task.reject(hasBegun ? new LinkLost(answer.message) : answer);
    } else if (answer.code < 200) hasBegun = true;
    else task.resolve(undefined);
  });
  await ended;
  return Buffer.concat(chunks).subarray(0, length);
}
