import { parseEnv } from 'node:util';
import { parseDotEnv } from '../../config/text-file.ts';
import { CommandFailure } from '../output.ts';

/**
 * The text of a `.env` file with these variables set. All other lines stay.
 * @throws CommandFailure when a value cannot be written so that it reads back the same
 */
export function withVariables(text: string, variables: ReadonlyMap<string, string>): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const known = parseDotEnv(text);
  let result = text;
  for (const [name, value] of variables) {
    if (known[name] === value) continue;
    result = withLine(result, name, `${name}=${quoted(name, value)}`, lineEnd);
  }
  const written = parseDotEnv(result);
  for (const [name, value] of Object.entries({ ...known, ...Object.fromEntries(variables) }))
    if (written[name] !== value) throw unwritable(name);
  return result;
}

/** In the place of the variable's line, as in a copy of `.env.example`, else at the end. */
function withLine(text: string, name: string, line: string, lineEnd: string): string {
  const lines = text === '' ? [] : text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  // A later line wins, so every one has to give way.
  const own = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
  const at = lines.findIndex((one) => own.test(one));
  const kept = lines.filter((one, index) => index === at || !own.test(one));
  if (at < 0) kept.push(line);
  else kept[at] = line;
  return `${kept.join(lineEnd)}${lineEnd}`;
}

/** Bare where that reads back the same, else in the quotes that the value itself does not contain. */
function quoted(name: string, value: string): string {
  const forms = [value, `'${value}'`, `"${value}"`, `\`${value}\``];
  const form = forms.find(
    (one) =>
      !/[\r\n]/.test(one) && parseEnv(`A=1\n${name}=${one}\nZ=1\n`)[name] === value && !/^\s|\s$/.test(one),
  );
  if (form === undefined) throw unwritable(name);
  return form;
}

const unwritable = (name: string): CommandFailure =>
  new CommandFailure(
    `The value of ${name} cannot be written into .env. Put it into the file by hand, or use a password without quotes.`,
  );
