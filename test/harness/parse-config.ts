import { parseFiles } from '../../src/config/parse.ts';
import { readYaml } from '../../src/config/read-yaml.ts';
import type { IsGame } from '../../src/config/references.ts';
import type { Config } from '../../src/config/schema.ts';
import type { ReadVariable } from '../../src/config/secrets.ts';

/** Reads the text of a config file that has its projects itself. Paths are not resolved. @param isGame null: `game:` is not checked */
export const parseConfig = (
  text: string,
  file: string,
  isGame: IsGame | null = null,
  readVariable: ReadVariable = () => undefined,
): Config => parseFiles(readYaml(text, file), [], isGame, readVariable);
