/** global, nested and reverse_nested: one bucket of other rows. */
import { oneOf, type PlainKind } from '../kind.ts'
import { objectsOf, type Path, rowAround } from '../row.ts'

/** `global`. */
export const global: PlainKind = {
  buckets: 'one',
  fits: ({ parent }) => parent === null,
  draw: () => ({}),
  answer: (_body, _rows, below) => below.bucket(below.all),
}

interface NestedBody {
  readonly path: Exclude<Path, ''>
}

/** `nested`, which may skip a level. */
export const nested: PlainKind<NestedBody> = {
  buckets: 'one',
  fits: ({ path }) => path !== 'a.c',
  draw: ({ random, path }) => ({
    path: path === 'a' || random.below(4) === 0 ? 'a.c' : 'a',
  }),
  pathBelow: ({ path }) => path,
  answer: ({ path }, rows, below) => below.bucket(rows.flatMap(row => objectsOf(row, path))),
}

interface ReverseBody {
  readonly path?: 'a'
}

/** `reverse_nested`, to documents or to the objects between. */
export const reverseNested: PlainKind<ReverseBody> = {
  buckets: 'one',
  fits: ({ path }) => path !== '',
  draw: ({ random, path }) =>
    path === 'a.c' ? oneOf<ReverseBody>(random, [{}, { path: 'a' }]) : {},
  pathBelow: ({ path }): Path => path ?? '',
  answer(body, rows, below) {
    const path: Path = body.path ?? ''
    const around = new Map(
      rows.map(row => [path === '' ? row.document : row.object, rowAround(row, path)]),
    )
    return below.bucket([...around.values()])
  },
}
