export type { Clock } from './clock.ts';
export {
  type FileEntry,
  FileError,
  type FileFailure,
  type FileParts,
  type FileAccess,
  type FileRange,
  type Files,
  type FileStat,
  type ListedFiles,
} from './file-access.ts';

// Files of this machine
export { directFiles, openDirect } from './local/direct-files.ts';
export { LocalFiles } from './local/local-files.ts';

// Files of other machines
export { banNamesPath } from './nitrado/nitrado-files.ts';
export { hostAddress, type KnownHosts, knownHostsInMemory } from './remote/known-hosts.ts';
export { pathRemedies } from './remote/path-remedies.ts';
export { hostAndPort, type PlaceAddress, placeName } from './remote/place-address.ts';
export type { RemoteFiles } from './file-access.ts';
export { type Place, RemotePlaces } from './remote/remote-places.ts';
export { needsPassphrase } from './sftp/sftp-place.ts';

// Game servers at Nitrado
export type { ServerState } from './nitrado/nitrado-state.ts';
export {
  findRentedServer,
  listRentedServers,
  type NitradoAccount,
  type RentedServer,
  type RentedServerAddress,
} from './nitrado/rented-servers.ts';

// Reading a file
export type { ByteSource } from './file-access.ts';
export {
  type FileEdges,
  type FileMarks,
  fileMarks,
  hasMarks,
  markRanges,
  marksOf,
  readEdges,
  readMarks,
} from './reading/file-marks.ts';
export { contentStamp, stampOf } from './reading/file-stamp.ts';
export { OpenedFile } from './reading/opened-file.ts';
export { SettledFile } from './reading/settled-file.ts';
export { readWholeFile } from './reading/whole-file.ts';
