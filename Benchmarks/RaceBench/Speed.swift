import GatewayModel
import Glibc
import RaceSimulation
import RunBeacon

/// Adverts a second of one core, in fields of several sizes, and with strangers about: it has to grow with the adverts
/// alone.
func speed() {
    print("\nAdverts a second of processor time, from the controller's bytes to the passing, median of five")
    for (runners, strangers) in [(500, 0), (1_500, 0), (4_500, 0), (500, 9)] {
        let field = Field(Race(dense(runners)), strangers: strangers)
        let rates = (0..<5).map { _ in
            var pipeline = Pipeline(field)
            let began = processorSeconds()
            field.play(&pipeline)
            let taken = processorSeconds() - began
            precondition(pipeline.passings >= runners)
            return Double(field.count) / taken
        }.sorted()
        let about = strangers > 0 ? ", \(strangers) of \(strangers + 1) are strangers'" : ""
        print("  \(runners) runners, \(field.count) adverts\(about): \(number(rates[2]))")
    }
}

func dense(_ runners: Int) -> Scenario {
    var scenario = Scenario("5,000 an hour")
    (scenario.runners, scenario.rate) = (runners, 1.39)
    return scenario
}

/// Of this process: what else the machine does costs nothing.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
