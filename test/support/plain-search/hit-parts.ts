/** What a request asks of each hit beside its score and place, drawn with what must be printed. */
import type { Random } from '../../../src/util/random.ts'
import { randomWord } from './collection.ts'
import { oneOf, several } from './kind.ts'
import type { Match } from './sorts.ts'

/** The parts of a hit, by their keys, as they print. */
export type PrintedParts = Readonly<Record<string, unknown>>

/** A part that was drawn: keys of the body, parameters of the URL, and what each hit must have for them. */
export interface DrawnPart {
  readonly body: Readonly<Record<string, unknown>>
  readonly params?: Readonly<Record<string, string>>
  printed(match: Match): PrintedParts
}

/** Keys of sources by which they are filtered. */
const SOURCE_KEYS = ['body', 'tag', 'num', 'at', 'items', 'marks', 'zone']

/** The fields of a hit that have values. */
export function present(
  fields: Readonly<Record<string, readonly unknown[] | undefined>>,
): PrintedParts {
  const some = Object.entries(fields).filter(([, values]) => (values?.length ?? 0) > 0)
  return some.length === 0 ? {} : { fields: Object.fromEntries(some) }
}

function list<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}

/** Sources are named or left out, in the body or by the parameters of the URL. */
function source(
  form: 'key' | '_source_includes' | '_source_excludes',
): (random: Random) => DrawnPart {
  return random => {
    const names = several(1 + random.below(3), () => oneOf(random, SOURCE_KEYS))
    const isExcluding = form === '_source_excludes' || (form === 'key' && random.below(8) === 0)
    return {
      body: form === 'key' ? { _source: isExcluding ? { excludes: names } : names } : {},
      params: form === 'key' ? {} : { [form]: names.join(',') },
      printed: ({ document: { source: all } }) => ({
        _source: Object.fromEntries(
          Object.entries(all).filter(([key]) => names.includes(key) !== isExcluding),
        ),
      }),
    }
  }
}

function fields(): DrawnPart {
  return {
    body: { fields: ['num', 'she*', { field: 'day', format: 'epoch_millis' }] },
    printed: ({ document: { source: of } }) =>
      present({
        num: of.num,
        shelf: list(of.shelf),
        'shelf.text': list(of.shelf),
        'shelf.wild': list(of.shelf),
        day: list(of.day).map(day => `${day}`),
      }),
  }
}

function docvalueFields(random: Random): DrawnPart {
  const isPlain = random.below(8) > 0
  return {
    body: { docvalue_fields: ['num', 'tag', isPlain ? 'first' : { field: 'first' }] },
    printed: ({ document: { source: of } }) =>
      present({
        num: of.num?.toSorted((a, b) => a - b),
        tag: [...new Set(of.tag)].sort(),
        first: list(of.first),
      }),
  }
}

function storedFields(): DrawnPart {
  return {
    body: { stored_fields: ['shelf', 'first', 'num'] },
    printed: ({ document: { source: of } }) =>
      present({ shelf: list(of.shelf), first: list(of.first) }),
  }
}

function scriptFields(random: Random): DrawnPart {
  const n = 1 + random.below(5)
  const script = { source: "doc['num'].size() * params.n", params: { n } }
  return {
    body: { script_fields: { many: { script } } },
    printed: ({ document: { numbers } }) =>
      present({ many: [(numbers.get('num') ?? []).length * n] }),
  }
}

/** A field of the search alone, whose values are twice those of another. */
function derived(): DrawnPart {
  const source = "if (doc['first'].size() > 0) { emit(doc['first'].value * 2) }"
  return {
    body: { derived: { twice: { type: 'long', script: { source } } }, fields: ['twice'] },
    printed: ({ document: { source: of } }) => present({ twice: list(of.first).map(n => n * 2) }),
  }
}

function highlight(random: Random): DrawnPart {
  const words = several(2, () => randomWord(random))
  const type = oneOf(random, ['unified', 'plain'])
  const title = {
    type,
    number_of_fragments: 0,
    highlight_query: { match: { title: words.join(' ') } },
  }
  return {
    body: { highlight: { fields: { title } } },
    printed({ document: { source: of } }) {
      const marked = (of.title ?? '')
        .split(' ')
        .map(word => (words.includes(word) ? `<em>${word}</em>` : word))
        .join(' ')
      return marked === (of.title ?? '') ? {} : { highlight: { title: [marked] } }
    },
  }
}

/** The options that ask for parts. */
export const PART_OPTIONS = {
  _source: source('key'),
  _source_includes: source('_source_includes'),
  _source_excludes: source('_source_excludes'),
  fields,
  docvalue_fields: docvalueFields,
  stored_fields: storedFields,
  script_fields: scriptFields,
  derived,
  highlight,
  version: (): DrawnPart => ({ body: { version: true }, printed: () => ({ _version: 1 }) }),
  seq_no_primary_term: (): DrawnPart => ({
    body: { seq_no_primary_term: true },
    printed: ({ document, shard }) => ({
      _seq_no: shard.documents.indexOf(document),
      _primary_term: 1,
    }),
  }),
} as const satisfies Readonly<Record<string, (random: Random) => DrawnPart>>

/** The name of such an option. */
export type PartOption = keyof typeof PART_OPTIONS
