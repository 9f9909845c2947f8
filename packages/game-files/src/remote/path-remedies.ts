/** What an owner can do about a path at a host, by the code of its error. */
export const pathRemedies: Readonly<Record<string, string>> = {
  ENOENT: 'check the path, as it is seen after the login',
  ENOTDIR: 'name the folder, not a file in it',
  EISDIR: 'name the file itself, not the folder that it is in',
  EACCES: 'ask the host to let this user read it',
};

/** What an owner can do about a path that is not there and has more than ASCII. */
export const encodingRemedy =
  'check its spelling; names at the host may be in another encoding than UTF-8 (such as windows-1251), which cannot be ' +
  'read: then rename folders and files with Latin letters';
