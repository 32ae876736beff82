/** The values that parameters take, in words: the page of the API prints them. */
type Reader = (text: string, name: string) => unknown

const FORMS = new WeakMap<Reader, string>()

/** Says of a reader which values it takes: `boolean`, `open | closed | all`. */
export function takes<R extends Reader>(form: string, reader: R): R {
  FORMS.set(reader, form)
  return reader
}

/** The values that a reader takes; undefined where nobody said. */
export function formOf(reader: Reader): string | undefined {
  return FORMS.get(reader)
}
