// A file of its own: `Place` is exported, and the types of ssh2 are no dependency of this package.

/** With a password, a private key, or both where the host wants both. */
export interface SftpPlace {
  type: 'sftp';
  host: string;
  port: number;
  username: string;
  password?: string | undefined;
  /** The text of a private key in the format of OpenSSH or PEM. */
  privateKey?: string | undefined;
  /** Of the private key, where it has one. */
  passphrase?: string | undefined;
}

/** Whether a private key needs a passphrase, or another one than this. */
export async function needsPassphrase(privateKey: string, passphrase?: string): Promise<boolean> {
  const { default: ssh2 } = await import('ssh2');
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  return parsed instanceof Error && /passphrase|decrypt/i.test(parsed.message);
}
