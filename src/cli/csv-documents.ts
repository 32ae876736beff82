/**
 * Documents out of comma-separated text (RFC 4180): the first row names the fields, quotes may hold
 * commas, line breaks and doubled quotes. Values are texts; a mapping makes numbers and dates of
 * them. An empty value leaves its field out.
 */

/** A document's fields in the order of the columns; a map, because the file chose their names. */
export type CsvDocument = ReadonlyMap<string, string>

/**
 * Reads rows as documents.
 * @param separator one character: `,`, `;` or a tab
 * @throws {Error} a row with more values than there are columns, a column named twice, open quotes
 */
export async function* csvDocuments(
  texts: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<CsvDocument> {
  let columns: readonly string[] | null = null
  let number = 0
  for await (const row of csvRows(texts, separator)) {
    number++
    if (row.length === 1 && row[0] === '') continue
    if (columns === null) {
      columns = row.map(name => name.trim())
      const twice = columns.find((name, at) => columns?.indexOf(name) !== at)
      if (twice !== undefined) throw new Error(`the column [${twice}] is named twice`)
      continue
    }
    if (row.length > columns.length)
      throw new Error(`row ${number} has ${row.length} values for ${columns.length} columns`)
    const document = new Map<string, string>()
    columns.forEach((name, at) => {
      const value = row[at]
      if (value !== undefined && value !== '') document.set(name, value)
    })
    yield document
  }
}

/** Rows of raw values; the empty line is a row of one empty value. */
async function* csvRows(
  texts: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<readonly string[]> {
  let row: string[] = []
  let value = ''
  let isQuoted = false
  // A quote within quotes ends them or, doubled, stands for itself: the next character tells.
  let maybeEnd = false
  // Quoted text is kept whole, a return at its end too.
  let quotedLength = 0
  let isFirst = true
  for await (const text of texts) {
    for (const char of isFirst ? text.replace(/^\ufeff/, '') : text) {
      if (isQuoted && maybeEnd) {
        maybeEnd = false
        if (char === '"') {
          value += char
          continue
        }
        isQuoted = false
        quotedLength = value.length
      }
      if (isQuoted) {
        if (char === '"') maybeEnd = true
        else value += char
      } else if (char === '"' && value === '') isQuoted = true
      else if (char === separator) {
        row.push(value)
        value = ''
        quotedLength = 0
      } else if (char === '\n') {
        const hasReturn = value.endsWith('\r') && value.length > quotedLength
        yield [...row, hasReturn ? value.slice(0, -1) : value]
        row = []
        value = ''
        quotedLength = 0
      } else value += char
    }
    isFirst = false
  }
  if (isQuoted && !maybeEnd) throw new Error('the quotes of the last value do not close')
  if (value !== '' || row.length > 0) yield [...row, value]
}
