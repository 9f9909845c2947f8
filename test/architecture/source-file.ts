import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { globSync } from 'tinyglobby';

/** One file of `src/` or `packages/`, and what it refers to. Paths have forward slashes and begin at the root. */
export interface SourceFile {
  path: string;
  lines: number;
  /** Paths of this repository: imports, exports, types, dynamic imports, threads (`entryModule('x')`). */
  files: string[];
  /** Names of packages from npm: `discord.js`, `@keyv/sqlite`. */
  packages: string[];
  /** Those of both that are loaded whenever this file is: neither types nor what is imported later. */
  loaded: string[];
  readsEnvironment: boolean;
}

const roots = ['src', 'packages'];

/** Every file of code, and what people write for the browser. */
export function readSourceFiles(): SourceFile[] {
  const patterns = roots.map((root) => `${root}/**/*.{ts,tsx,js,css,html}`);
  const paths = globSync(patterns, { ignore: ['**/node_modules/**', '**/dist/**'] });
  const all = new Set(paths);
  return paths.toSorted().map((path) => readSource(path, readFileSync(path, 'utf8'), all));
}

/** @param all the files there are: by them it is known whether a `.js` in a URL is a compiled `.ts`. */
export function readSource(path: string, text: string, all: ReadonlySet<string>): SourceFile {
  const source: SourceFile = {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    files: [],
    packages: [],
    loaded: [],
    readsEnvironment: false,
  };
  if (!/\.[jt]sx?$/.test(path)) return source;

  const refer = (specifier: unknown, isLoaded = false): void => {
    if (typeof specifier !== 'string') throw new Error(`${path}: expected a literal in every import()`);
    const isFile = specifier.startsWith('.');
    if (!isFile && /^node:|^\//.test(specifier)) return;
    const target = isFile
      ? posix.join(posix.dirname(path), specifier)
      : (/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
    const typescript = target.replace(/\.js$/, '.ts');
    const name = all.has(typescript) ? typescript : target;
    (isFile ? source.files : source.packages).push(name);
    const ofRepository = isFile ? name : fileOfPackage(specifier);
    if (isLoaded) source.loaded.push(all.has(ofRepository) ? ofRepository : name);
  };
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  new Visitor({
    ImportDeclaration({ source: from, importKind }) {
      refer(from.value, importKind !== 'type');
      if (from.value === 'node:process') source.readsEnvironment = true;
    },
    ExportAllDeclaration: ({ source: from, exportKind }) => refer(from.value, exportKind !== 'type'),
    ExportNamedDeclaration({ source: from, exportKind }) {
      if (from !== null) refer(from.value, exportKind !== 'type');
    },
    ImportExpression({ source: from }) {
      // A template says at its beginning where to look.
      const text = from.type === 'TemplateLiteral' ? from.quasis[0]?.value.raw : null;
      refer(from.type === 'Literal' ? from.value : text || null);
    },
    TSImportType: ({ source: from }) => refer(from.value),
    CallExpression({ callee, arguments: [name] }) {
      if (isNamed(callee, 'entryModule')) {
        if (name?.type !== 'Literal') throw new Error(`${path}: expected a literal in every entryModule()`);
        source.files.push(`src/${String(name.value)}.ts`);
      }
      // createRequire(…)('pg')
      const isRequire =
        isNamed(callee, 'require') ||
        (callee.type === 'CallExpression' && isNamed(callee.callee, 'createRequire'));
      if (isRequire) refer(name?.type === 'Literal' ? name.value : null);
    },
    MemberExpression({ object, property }) {
      const isEnvironment =
        isNamed(property, 'env') || (property.type === 'Literal' && property.value === 'env');
      if (isNamed(object, 'process') && isEnvironment) source.readsEnvironment = true;
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern' || !isNamed(init, 'process')) return;
      const names = id.properties.map((property) => (property.type === 'Property' ? property.key : null));
      if (names.some((name) => name === null || isNamed(name, 'env'))) source.readsEnvironment = true;
    },
  }).visit(program);
  return source;
}

/** What is loaded of a package that stands in `packages/`: `dayz-files` or `dayz-files/ids`. */
function fileOfPackage(specifier: string): string {
  const [name, file = 'index'] = specifier.split('/');
  return `packages/${name}/src/${file}.ts`;
}

const isNamed = (node: { type: string } | null, name: string): boolean =>
  node?.type === 'Identifier' && 'name' in node && node.name === name;
