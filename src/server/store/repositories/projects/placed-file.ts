/** How the store names a file of a source: paths are equal at many hosts. @param serverId where it lies; undefined: here */
export function placedFile(file: string, serverId: string | undefined): string {
  return serverId === undefined ? file : `${serverId}:${file}`;
}
