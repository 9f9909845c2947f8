const isBuilt = !new URL(import.meta.url).pathname.endsWith('.ts');
const modules = isBuilt ? 'dist' : 'src';
/** The folder of this program's package. Modules do not know where they are: the build puts many into one file. */
const root = import.meta.url.slice(0, import.meta.url.lastIndexOf(`/${modules}/`) + 1);

/** A file of the package. @param path from its folder, such as `package.json` */
export const packageFile = (path: string): URL => new URL(path, root);

/** A file that lies among the modules and is none. @param path from `src/`, such as `page/browser/page.js` */
export const fileAmongModules = (path: string): URL => packageFile(`${modules}/${path}`);

/**
 * The built module of a process. Those that run from the sources, as in tests, start it too: to load TypeScript
 * would take longer than what it has to do.
 * @param path from `src/`, without its ending; scripts/build.js has to name it
 */
export const entryModule = (path: string): URL => packageFile(`dist/${path}.js`);
