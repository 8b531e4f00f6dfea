import { ScenarioName, runScenario } from './scenarios'

/** One scenario in a process of its own: `scenario.ts NAME STATIONS SEED`. Prints the result as JSON. */
const [, , name, stations, seed] = process.argv
console.log(JSON.stringify(await runScenario(ScenarioName.parse(name), Number(stations), Number(seed))))
