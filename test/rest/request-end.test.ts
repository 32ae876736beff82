import { describe, expect, it } from 'vitest'
import { RequestEnd } from '../../src/rest/request-end.ts'
import { linkAbort } from '../../src/task/abort-link.ts'
import { TRUSTED_ACCESS, TRUSTED_PRINCIPAL } from '../../src/task/access.ts'
import { requestContext } from '../../src/task/call-context.ts'

function searchTask() {
  return requestContext({
    action: 'indices:data/read/search',
    principal: TRUSTED_PRINCIPAL,
    access: TRUSTED_ACCESS,
    opaqueId: null,
    changeTimeoutInMillis: Number.POSITIVE_INFINITY,
  }).task
}

describe('the early end of a request', () => {
  it('cancels the task that is linked to it, and none that was parted again', () => {
    const end = new RequestEnd()
    const [linked, parted] = [searchTask(), searchTask()]
    linkAbort(end, linked)
    linkAbort(end, parted)()
    expect(end.aborted).toBe(false)
    end.reach()
    expect(end.aborted).toBe(true)
    expect(linked.isCancelled).toBe(true)
    expect(parted.isCancelled).toBe(false)
  })

  it('cancels a task that is linked to it afterwards', () => {
    const end = new RequestEnd()
    end.reach()
    const task = searchTask()
    linkAbort(end, task)
    expect(task.isCancelled).toBe(true)
  })

  it('tells a listener once, and one that leaves while others are told too', () => {
    const end = new RequestEnd()
    let told = 0
    const second = (): void => {
      told += 10
    }
    end.addEventListener('abort', () => {
      told++
      end.removeEventListener('abort', second)
    })
    end.addEventListener('abort', second)
    end.reach()
    end.reach()
    expect(told).toBe(11)
  })
})
