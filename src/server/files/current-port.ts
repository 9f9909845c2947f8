import type { FilePort } from './file-port.ts';

/**
 * A port that is resolved at each request, because a changed config may have moved a source's files to another host.
 */
export function currentPort(lookUp: () => FilePort): FilePort {
  return {
    get abilities() {
      return lookUp().abilities;
    },
    get pollEveryMs() {
      return lookUp().pollEveryMs;
    },
    get problem() {
      return lookUp().problem ?? null;
    },
    get path() {
      return lookUp().path;
    },
    list: async (...args) => await lookUp().list(...args),
    stat: async (...args) => await lookUp().stat(...args),
    read: async (...args) => await lookUp().read(...args),
    replace: async (...args) => await lookUp().replace(...args),
    checkWritable: async (...args) => await lookUp().checkWritable(...args),
  };
}
