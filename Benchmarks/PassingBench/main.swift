import GatewayModel
import Glibc
import RunBeacon
import Vault

// What a long log of passings costs a box that starts: `PassingBench write DIRECTORY`, then `PassingBench read DIRECTORY`,
// so that the memory is that of reading alone.

/// A season of large races.
let lines = 100_000
let boot = "0b9e9fca-8d7c-4b0a-9c39-f3a5f4d9e0a1"
let gateway = GatewayID("house-12")!

func record(_ number: Int) -> RecordedPassing? {
    let time = WallTime(millisecondsSince1970: 1_800_000_000_000 + Int64(number) * 700)
    let at = BootInstant(nanoseconds: Int64(number) * 700_000_000)
    var random = SystemRandomNumberGenerator()
    guard let bib = Bib(1 + number % 5_000) else { return nil }
    let passing = Passing(
        id: MessageID(wall: time, using: &random), run: RunID("race-\(number / 10_000)")!,
        checkpoint: CheckpointID("finish")!, gateway: gateway,
        bib: bib, order: 1, time: time, first: time, last: time,
        clock: ClockState(source: .gps, bound: .milliseconds(12)), bound: .milliseconds(742), hits: 61,
        strongest: -58, flags: [])
    return RecordedPassing(
        passing, boot: boot, nearest: at, first: at, last: at, passageBound: .milliseconds(640))
}

func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// KiB: the most there was of it since the process began.
func largest() -> Int {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
}

func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

func write(to directory: String) throws {
    var (log, _) = try PassingLog.open(in: directory, of: gateway, boot: boot)
    for start in stride(from: 0, to: lines, by: 1_000) {
        try log.append(
            (start..<start + 1_000).compactMap(record).map { record in
                PassingLog.Entry(
                    .passing(record), made: Moment(boot: record.nearest, wall: record.passing.time))
            })
    }
}

func read(from directory: String) throws {
    let (empty, began) = (largest(), processorSeconds())
    let run = RunID("race-9")!
    let (_, report) = try PassingLog.open(in: directory, of: gateway, boot: boot, keeping: [run])
    let seconds = processorSeconds() - began
    print("A log of \(lines) passings, opened as at a start, by the thread that writes it")
    print("  processor time: \(tenths(seconds)) s, \(Int(seconds * 1e6) / lines) us a line")
    print(
        "  memory, most: \((largest() - empty) / 1_024) MiB; kept of it: the \(report.records.count) of the run that is underway"
    )
}

switch (CommandLine.arguments.dropFirst().first, CommandLine.arguments.last) {
case ("write", let directory?): try write(to: directory)
case ("read", let directory?): try read(from: directory)
default:
    print("PassingBench write DIRECTORY | read DIRECTORY")
    exit(64)
}
