import GatewayModel
import Glibc
import RaceSimulation
import RunBeacon
import TagAdverts

/// Measures the memory of the tags, and that a longer run needs no more. It reads the resident memory of the process,
/// so it has to run before all other measurements: memory that they freed would be reused.
func memory() -> [String] {
    var lines: [String] = []
    // The first run of each kind loads the program's own pages.
    var kept: [Any] = [table(Field.run([Field.identity(0)]).1), inRange(1)]
    for tags in [1_000, 2_000, 4_000] {
        let before = resident()
        kept.append(table(Field.run((0..<tags).map(Field.identity)).1))
        lines.append("  \(tags) tags enrolled: \(resident() - before)")
    }
    for tags in [1_000, 2_000, 4_000] {
        let before = resident()
        kept.append(inRange(tags))
        lines.append("  \(tags) tags in range for 20 s, heard 200 times each: \(resident() - before)")
    }
    let field = Field(Race(dense(500)), strangers: 0)
    var pipeline = Pipeline(field)
    for round in 1...10 {
        field.play(&pipeline, later: .seconds(3_600 * round))
        if [1, 10].contains(round) {
            lines.append("  the process, 500 runners having passed \(round) times: \(resident())")
        }
    }
    withExtendedLifetime((kept, pipeline)) {}
    return lines
}

private func table(_ enrolled: [TagIdentity: [Enrolment]]) -> TagTable<AdvertRecogniser> {
    var table = TagTable(recogniser: AdvertRecogniser(cipher: NoCipher()))
    table.enrol(enrolled)
    return table
}

private func inRange(_ tags: Int) -> PassageDetector {
    var detector = PassageDetector()
    for step in 0..<200 {
        for tag in 0..<tags {
            let arrival = BootInstant(nanoseconds: Int64(step) * 100_000_000)
            _ = detector.hear(TagHit(tag: TagNumber(UInt32(tag)), rssi: -70, arrival: arrival))
        }
    }
    return detector
}

/// Resident memory of this process, in KiB.
private func resident() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let fields = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1_024 : 0
}
