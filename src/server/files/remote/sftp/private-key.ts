import ssh2 from 'ssh2';

/** Whether a private key needs a passphrase, or another one than this. */
export function needsPassphrase(privateKey: string, passphrase?: string): boolean {
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  return parsed instanceof Error && /passphrase|decrypt/i.test(parsed.message);
}
