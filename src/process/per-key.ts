/** Creates a value for each key when it is asked for first. */
export function perKey<Value extends object>(create: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
}
