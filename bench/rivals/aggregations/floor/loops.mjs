/** The cases of the table as loops: each returns a function that answers a case's numbers, in the order of table-cases.ts. */

const DAY = 86_400_000
const TOP = 10
/** Bytes of what the loops note of numbers. */
const NOTED = 40
const REGISTERS = 2 ** 14
/** Of cells: bits of a double that are above them. */
const CELL_SHIFT = 2 ** 45
const CELLS = 2 ** 18
const SHARES = [1, 5, 25, 50, 75, 95, 99]

/**
 * @param {import('./columns.mjs').Columns} columns
 * @param {Record<string, Function>} loops
 * @param {readonly { occur: string, kind: string, field: string, values: string[] }[]} levels
 */
export function loopOf(columns, loops, levels) {
  const name = levels.map(({ kind }) => kind).join(' ')
  const make = levels[0].occur === 'all' ? LOOPS[name] : LISTED[name]
  if (make === undefined) throw new Error(`no loop for [${name}]`)
  return make(columns, loops, levels)
}

const LOOPS = {
  terms(columns, { countKeys }, [{ field }]) {
    const { at, width, count } = columns.packed[field]
    const counts = room(columns, columns.keys[field].length)
    return () => {
      counts.fill(0)
      countKeys(at, width, count, columns.room)
      return topTerms(columns, field, counts, () => [])
    }
  },
  histogram(columns, { countSteps }, [{ field, values }]) {
    const { at, width, count, base } = columns.packed[field]
    const [interval] = values.map(Number)
    const { offset, first } = stepsFrom(base, interval)
    const counts = room(columns, 1 + Math.ceil(2 ** Number(width) / interval))
    return () => {
      counts.fill(0)
      countSteps(at, width, count, offset, 1 / interval, columns.room)
      return filled(counts, i => (first + i) * interval)
    }
  },
  days(columns, { countSteps }, [{ field }]) {
    const days = daysOf(columns, field)
    const counts = room(columns, days.count)
    const { at, width, count } = columns.packed[field]
    return () => {
      counts.fill(0)
      countSteps(at, width, count, days.offset, 1 / DAY, columns.room)
      return filled(counts, i => (days.first + i) * DAY)
    }
  },
  months(columns, { countMapped }, [{ field }]) {
    const { at, width, count } = columns.packed[field]
    const { offset, keys, starts } = monthsOf(columns, field)
    const counts = room(columns, starts.length)
    return () => {
      counts.fill(0)
      countMapped(at, width, count, offset, 1 / DAY, keys, columns.room)
      return filled(counts, i => starts[i])
    }
  },
  ranges(columns, { countRanges }, [{ field, values }]) {
    const { at, width, count, base } = columns.packed[field]
    const [size] = values.map(Number)
    const bounds = [1, 2, 3, 4].map(i => BigInt(i * size - base))
    const counts = room(columns, 5)
    return () => {
      counts.fill(0)
      countRanges(at, width, count, ...bounds, columns.room)
      return [...counts]
    }
  },
  cardinality(columns, { markKeys, noteHashes }, [{ field }]) {
    const { at, width, count } = columns.packed[field]
    const keys = columns.keys[field]
    const marks = columns.u8(columns.room, keys === undefined ? REGISTERS : keys.length)
    const run = keys === undefined ? noteHashes : markKeys
    return () => {
      marks.fill(0)
      run(at, width, count, columns.room)
      return [keys === undefined ? estimate(marks) : marks.reduce((sum, mark) => sum + mark, 0)]
    }
  },
  stats(columns, { statsOf }, [{ field }]) {
    const { at, count } = columns.packed[field]
    return () => {
      statsOf(at, count, columns.room)
      return statsAt(columns, columns.room)
    }
  },
  percentiles(columns, { countCells }, [{ field }]) {
    const { at, count } = columns.packed[field]
    const counts = room(columns, CELLS)
    return () => {
      counts.fill(0)
      countCells(at, count, columns.room)
      return quantiles(counts, count)
    }
  },
  'terms avg'(columns, { sumByKey }, [{ field }, { field: number }]) {
    const { at, width, count } = columns.packed[field]
    const keys = columns.keys[field].length
    const sums = columns.f64(columns.room, 2 * keys)
    const countsAt = columns.room + 16 * keys
    const counts = columns.u32(countsAt, keys)
    return () => {
      sums.fill(0)
      counts.fill(0)
      sumByKey(at, width, count, columns.packed[number].at, columns.room, countsAt)
      return topTerms(columns, field, counts, ord => [sums[2 * ord] / counts[ord]])
    }
  },
  'months terms stats'(columns, { noteByKeys }, [{ field: time }, { field }, { field: number }]) {
    const { offset, keys, starts } = monthsOf(columns, time)
    const times = columns.packed[time]
    const { at, width, count } = columns.packed[field]
    const own = columns.keys[field].length
    const noted = columns.f64(columns.room, (NOTED / 8) * own * starts.length)
    return () => {
      noted.fill(0)
      for (let i = 0; i < noted.length; i += 5) {
        noted[i + 2] = Number.POSITIVE_INFINITY
        noted[i + 3] = Number.NEGATIVE_INFINITY
      }
      const doubles = columns.packed[number].at
      noteByKeys(
        times.at,
        times.width,
        offset,
        1 / DAY,
        keys,
        at,
        width,
        doubles,
        count,
        columns.room,
      )
      return starts.flatMap((start, month) => {
        const placeOf = ord => columns.room + NOTED * (month * own + ord)
        const counts = Array.from({ length: own }, (_, ord) => columns.u32(placeOf(ord) + 32, 1)[0])
        const total = counts.reduce((sum, count) => sum + count, 0)
        if (total === 0) return []
        const below = topTerms(columns, field, counts, ord => statsAt(columns, placeOf(ord)))
        return [start, total, ...below]
      })
    }
  },
  'terms days'(columns, { countStepsByKey }, [{ field }, { field: time }]) {
    const days = daysOf(columns, time)
    const times = columns.packed[time]
    const { at, width, count } = columns.packed[field]
    const keys = columns.keys[field].length
    const counts = room(columns, keys * days.count)
    return () => {
      counts.fill(0)
      countStepsByKey(
        at,
        width,
        times.at,
        times.width,
        days.offset,
        1 / DAY,
        days.count,
        count,
        columns.room,
      )
      const own = ord => counts.subarray(ord * days.count, (ord + 1) * days.count)
      const totals = Array.from({ length: keys }, (_, ord) =>
        own(ord).reduce((sum, n) => sum + n, 0),
      )
      return topTerms(columns, field, totals, ord => filled(own(ord), i => (days.first + i) * DAY))
    }
  },
  'terms top'(columns, { leastByKey }, [{ field }, { field: number, values }]) {
    if (Number(values[0]) !== 3) throw new Error('the loop finds three')
    const { at, width, count } = columns.packed[field]
    const numbers = columns.packed[number]
    const keys = columns.keys[field].length
    const least = columns.u32(columns.room, 3 * keys)
    const countsAt = columns.room + 12 * keys
    const counts = columns.u32(countsAt, keys)
    return () => {
      least.fill(0xffffffff)
      counts.fill(0)
      leastByKey(at, width, numbers.at, numbers.width, count, columns.room, countsAt)
      const ofOrd = ord => [...least.subarray(3 * ord, 3 * ord + 3)].map(n => n + numbers.base)
      return topTerms(columns, field, counts, ofOrd)
    }
  },
}

/** Of the documents of a list. */
const LISTED = {
  terms(columns, { countListedKeys }, [{ occur, field }]) {
    const { at, width } = columns.packed[field]
    const docs = columns.listed[occur]
    const counts = room(columns, columns.keys[field].length)
    return () => {
      counts.fill(0)
      countListedKeys(docs.at, docs.count, at, width, columns.room)
      return topTerms(columns, field, counts, () => [])
    }
  },
  days(columns, { countListedSteps }, [{ occur, field }]) {
    const days = daysOf(columns, field)
    const docs = columns.listed[occur]
    const { at, width } = columns.packed[field]
    const counts = room(columns, days.count)
    return () => {
      counts.fill(0)
      countListedSteps(docs.at, docs.count, at, width, days.offset, 1 / DAY, columns.room)
      return filled(counts, i => (days.first + i) * DAY)
    }
  },
}

function room(columns, length) {
  return columns.u32(columns.room, length)
}

/** The first step of a column, and what its values lie behind that step's start, and a half that rounding cannot cross. */
function stepsFrom(base, interval) {
  const first = Math.floor(base / interval)
  return { first, offset: base - first * interval + 0.5 }
}

function daysOf(columns, field) {
  const { base, width } = columns.packed[field]
  const { first, offset } = stepsFrom(base, DAY)
  return { first, offset, count: 1 + Math.ceil((offset + 2 ** Number(width)) / DAY) }
}

/** Months by day, and the start of each month. */
function monthsOf(columns, field) {
  const { first, offset, count } = daysOf(columns, field)
  const starts = []
  const keys = columns.allocate(count)
  const bytes = columns.u8(keys, count)
  for (let day = 0; day < count; day++) {
    const date = new Date((first + day) * DAY)
    const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
    if (start !== starts.at(-1)) starts.push(start)
    bytes[day] = starts.length - 1
  }
  return { offset, keys, starts }
}

/** The ten most frequent keys: number, count and what is below each. */
function topTerms({ keys }, field, counts, below) {
  const best = []
  let bar = 0
  for (let ord = 0; ord < counts.length; ord++) {
    const count = counts[ord]
    if (best.length === TOP && count <= bar) continue
    if (count === 0) continue
    let place = best.length
    while (place > 0 && counts[best[place - 1]] < count) place--
    best.splice(place, 0, ord)
    if (best.length > TOP) best.pop()
    bar = counts[best.at(-1)]
  }
  const names = keys[field]
  return best.flatMap(ord => [Number(names[ord].split(' ')[1]), counts[ord], ...below(ord)])
}

function filled(counts, keyOf) {
  const numbers = []
  for (const [i, count] of counts.entries()) if (count > 0) numbers.push(keyOf(i), count)
  return numbers
}

function statsAt(columns, place) {
  const [sum, , least, most] = columns.f64(place, 4)
  const [count] = columns.u32(place + 32, 1)
  return [count, least, most, sum / count, sum]
}

/** Of registers with the most leading zeros of hashes. */
function estimate(registers) {
  let sum = 0
  for (const zeros of registers) sum += 2 ** -zeros
  return ((0.7213 / (1 + 1.079 / REGISTERS)) * (REGISTERS * REGISTERS)) / sum
}

/** The middle of the cell in which each share of the numbers ends. */
function quantiles(counts, count) {
  const words = new BigUint64Array(1)
  const middle = new Float64Array(words.buffer)
  const found = []
  let below = 0
  for (let cell = 0; cell < counts.length && found.length < SHARES.length; cell++) {
    below += counts[cell]
    while (found.length < SHARES.length && below >= (SHARES[found.length] / 100) * count) {
      words[0] = BigInt(cell) * BigInt(CELL_SHIFT) + BigInt(CELL_SHIFT / 2)
      found.push(middle[0])
    }
  }
  return found
}
