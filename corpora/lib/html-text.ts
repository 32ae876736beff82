/**
 * Text of HTML pages, cut into passages. A small scanner, not a browser: tags split blocks, the
 * contents of script, style, navigation and head are passed over, entities are decoded.
 */
import { countWords } from './words.ts'

export interface Passage {
  /** The page's title, with the nearest heading after it where there is one. */
  readonly title: string
  readonly body: string
}

/** A passage is closed once it has this many words, … */
const FULL_WORDS = 40
/** … cut when a single block is longer than this, … */
const MOST_WORDS = 120
/** … and dropped when it has fewer than this. */
const LEAST_WORDS = 12

const SKIPPED = new Set(['script', 'style', 'nav', 'svg', 'template', 'noscript', 'footer'])
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const ENTITIES = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    copy: '©',
    reg: '®',
    mdash: '—',
    ndash: '–',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    para: '¶',
    sect: '§',
    times: '×',
    middot: '·',
    rarr: '→',
    larr: '←',
    laquo: '«',
    raquo: '»',
    eacute: 'é',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    szlig: 'ß',
  }),
)

/** The passages of a page in reading order. */
export function passagesOf(html: string, fallbackTitle: string): Passage[] {
  const passages: Passage[] = []
  const title = textOf(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? '') || fallbackTitle
  let heading = ''
  let body: string[] = []
  let words = 0
  const close = (): void => {
    if (words >= LEAST_WORDS) {
      passages.push({
        title: heading === '' ? title : `${title}: ${heading}`,
        body: body.join(' '),
      })
    }
    body = []
    words = 0
  }
  for (const block of blocksOf(html)) {
    if (block.isHeading) {
      close()
      heading = block.text.slice(0, 200)
      continue
    }
    for (const part of cutLong(block.text)) {
      body.push(part)
      words += countWords(part)
      if (words >= FULL_WORDS) close()
    }
  }
  close()
  return passages
}

/** Decodes entities and collapses blanks; tags become nothing. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, decodeEntity)
    .replace(/[\s\u00b6\uf0c1]+/g, ' ')
    .trim()
}

function* blocksOf(html: string): Iterable<{ text: string; isHeading: boolean }> {
  const start = html.search(/<body[\s>]/i)
  let at = Math.max(start, 0)
  let from = at
  let parts: string[] = []
  let level = 0
  const flush = (): string => {
    const text = textOf(parts.join(''))
    parts = []
    return text
  }
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    if (html.startsWith('<!--', open)) {
      parts.push(html.slice(from, open))
      const end = html.indexOf('-->', open + 4)
      at = end < 0 ? html.length : end + 3
      from = at
      continue
    }
    const match = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open, open + 24))
    if (match === null) {
      at = open + 1
      continue
    }
    const name = match[2]!.toLowerCase()
    const end = html.indexOf('>', open)
    const after = end < 0 ? html.length : end + 1
    parts.push(html.slice(from, open))
    at = after
    from = after
    if (SKIPPED.has(name) && match[1] === '') {
      const closing = indexOfTag(html, name, after)
      if (closing >= 0) {
        const past = html.indexOf('>', closing)
        at = past < 0 ? html.length : past + 1
        from = at
      }
    }
    if (INLINE.has(name)) continue
    const text = flush()
    if (text !== '') yield { text, isHeading: level > 0 }
    if (/^h[1-6]$/.test(name)) level = match[1] === '' ? 1 : 0
  }
  parts.push(html.slice(from))
  const text = flush()
  if (text !== '') yield { text, isHeading: false }
}

/** Where the closing tag of `name` starts, in either case. */
function indexOfTag(html: string, name: string, from: number): number {
  const lower = html.indexOf(`</${name}`, from)
  return lower >= 0 ? lower : html.indexOf(`</${name.toUpperCase()}`, from)
}

function cutLong(text: string): string[] {
  const words = text.split(' ')
  if (words.length <= MOST_WORDS) return [text]
  const parts: string[] = []
  for (let i = 0; i < words.length; i += FULL_WORDS) {
    parts.push(words.slice(i, i + FULL_WORDS).join(' '))
  }
  return parts
}

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase()) ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isScalar = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
  return isScalar ? String.fromCodePoint(code) : ' '
}
