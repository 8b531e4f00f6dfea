import type { Browser, Page } from 'playwright'
import { z } from 'zod'
import type { LongTasks } from './screen'

const Trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().optional(),
      args: z.looseObject({ name: z.unknown() }).partial().optional(),
    }),
  ),
})

/** In ms: half of what the browser itself calls a long task. */
export const longTask = 30

/** The tasks of the page's main thread that took longer than `longTask` while something ran, by the browser's trace. */
export async function tasksDuring<T>(browser: Browser, page: Page, run: () => Promise<T>): Promise<T & LongTasks> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  const done = await run()
  const { traceEvents } = Trace.parse(JSON.parse((await browser.stopTracing()).toString()))
  // Other processes have a main thread of that name too: the page's is the one that does the most.
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const tasksOf = ({ pid, tid }: { pid: number; tid: number }) =>
    traceEvents.flatMap((event) =>
      event.pid === pid && event.tid === tid && event.name.endsWith('RunTask') ? [(event.dur ?? 0) / 1_000] : [],
    )
  const sum = (values: number[]) => values.reduce((total, one) => total + one, 0)
  const [tasks = []] = mains.map(tasksOf).sort((a, b) => sum(b) - sum(a))
  if (tasks.length === 0) throw new Error('the trace has no tasks of the page')
  return { ...done, count: tasks.filter((took) => took > longTask).length, longest: Math.max(...tasks) }
}
