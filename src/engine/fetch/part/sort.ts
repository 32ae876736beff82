import type { FetchPart } from '../fetch-part.ts'

/** `sort`: the values that the hit is sorted by. Hits that stand by score alone carry none. */
export const sortPart: FetchPart<null> = {
  unasked: null,
  keys: {},
  subPhase: null,
  ofOptions: () => undefined,
  make(_asked, { sort }) {
    if (sort === null) return null
    return () => ({
      readsSource: false,
      extraUnits: 0,
      read({ hit }, to) {
        const values = hit.sort ?? []
        to.sort = sort.map((level, i) => {
          const value = values[i] ?? null
          return value === null ? null : level.print(value)
        })
      },
    })
  },
}
