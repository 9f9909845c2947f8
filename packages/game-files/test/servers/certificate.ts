import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate that nobody has signed but its own key, as game hosts have them. PEM. */
export interface SelfSigned {
  key: string;
  cert: string;
}

/** Builds one. Source of the form: RFC 5280, 4.1 */
export function selfSigned(name = 'ftp.example.org', until = '491231235959Z'): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(element(0x31, sequence(oid('550403'), element(0x0c, Buffer.from(name)))));
  const time = (text: string): Buffer => element(0x17, Buffer.from(text));
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    sequence(time('200101000000Z'), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = element(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const text = sequence(body, algorithm, signature)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  };
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => element(0x30, Buffer.concat(parts));
const oid = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'));
