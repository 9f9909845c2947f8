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
  /** The number of the game server, as in the address of its page in the web interface. */
  serviceId: string;
  /** A long-life token with the scope "service". */
  token: string;
  /** Address of the API; absent: Nitrado's own. */
  baseUrl?: string | undefined;
}

/** A host with files, and the login. Plain data with secrets in it, so it must never be logged: see `placeName`. */
export type Place = SftpPlace | FtpPlace | NitradoPlace;

/** A place without its secrets. */
export type PlaceAddress =
  { type: string; host: string; port: number; username: string } | { type: 'nitrado'; serviceId: string };

export function placeName(place: PlaceAddress): string {
  if ('serviceId' in place) return `Nitrado service ${place.serviceId}`;
  return `${place.type}://${place.username}@${hostAndPort(place)}`;
}

/** `host:port`, with an IPv6 address in brackets. */
export function hostAndPort({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
