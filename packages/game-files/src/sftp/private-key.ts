/** Whether a private key needs a passphrase, or another one than this. */
export async function needsPassphrase(privateKey: string, passphrase?: string): Promise<boolean> {
  const { default: ssh2 } = await import('ssh2');
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  return parsed instanceof Error && /passphrase|decrypt/i.test(parsed.message);
}
