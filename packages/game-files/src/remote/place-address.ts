/** A host with files, without the secrets of its login. */
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
