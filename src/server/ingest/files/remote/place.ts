/** The remote host and login for a server's files. Plain data with secrets in it, so it must never be logged. */
export type Place = SftpPlace | FtpPlace | NitradoPlace;

export interface SftpPlace {
  type: 'sftp';
  host: string;
  port: number;
  username: string;
  password?: string | undefined;
  /** The text of a private key, and its passphrase. */
  privateKey?: string | undefined;
  passphrase?: string | undefined;
}

/** `ftps`: TLS is requested before the login (`AUTH TLS`), or used from the first byte on port 990. */
export interface FtpPlace {
  type: 'ftp' | 'ftps';
  host: string;
  port: number;
  username: string;
  password: string;
}

export interface NitradoPlace {
  type: 'nitrado';
  serviceId: string;
  token: string;
  /** Address of the API; absent: Nitrado's own. */
  baseUrl?: string | undefined;
}
