import GatewayModel
import HostileInput
import Observations
import Testing

@Suite struct `A file of a program` {
    private func items(_ text: String, _ format: ObservationFormat) throws -> [ObservationItem] {
        try ObservationParser.items(in: Array(text.utf8), format)
    }

    private func fault(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no fault"
        } catch {
            return "\(error)"
        }
    }

    private func values(_ item: ObservationItem) throws -> [ObservedValue] { try item.entry.get().values }

    @Test func `as CSV gives an entry a line, in the unit of its kind`() throws {
        let items = try items(ObservationSample.csv, .csv)
        #expect(items.map(\.place) == ["line 2", "line 3"])
        let (weight, rate) = (try items[0].entry.get(), try items[1].entry.get())
        #expect(weight.values == [ObservedValue(.bodyWeight, 68.2657, .spot)])
        #expect(weight.id == "w-1" && rate.id == nil)
        #expect(weight.time == WallTime(rfc3339: "2026-03-01T08:30:00Z"))
        #expect(rate.values == [ObservedValue(.heartRate, 72, .stream)])
    }

    @Test func `as CSV takes its columns in any order, parted by semicolons too`() throws {
        let items = try items("unit;value;time;kind\nCel;36.6;2026-03-01T08:30:00Z;body-temperature\n", .csv)
        #expect(try values(items[0]) == [ObservedValue(.bodyTemperature, 36.6, .spot)])
    }

    @Test(arguments: [
        ("time,kind,value\n", "no heading \"unit\" in line 1"),
        ("time,kind,value,unit,note\n", "the heading \"note\" in line 1"),
        ("time,kind,value,unit,unit\n", "the heading \"unit\" in line 1"),
        ("", "no line"), ("time,kind,value,unit\n", "no entry"),
        (
            "time,kind,value,unit\n\"2026,1,1,1\n",
            "in line 2 a text that has a quotation mark that is never closed"
        ),
    ])
    func `as CSV is refused as a whole for its headings`(_ text: String, _ seen: String) {
        let fault = fault { _ = try items(text, .csv) }
        #expect(fault.hasPrefix("saw \(seen)"), "\(fault)")
    }

    @Test(arguments: [
        ("2026-03-01T08:30:00Z,body-weight,70,lb", "saw the unit \"lb\", expected one of \"kg\", \"g\""),
        ("2026-03-01T08:30:00Z,body-weight,70,KG", "saw the unit \"KG\""),
        ("2026-03-01T08:30:00,body-weight,70,kg", "saw the time \"2026-03-01T08:30:00\""),
        ("2026-02-30T08:30:00Z,body-weight,70,kg", "saw the time"),
        ("2026-03-01T08:30:00Z,weight,70,kg", "saw the kind \"weight\", expected one of heart-rate"),
        ("2026-03-01T08:30:00Z,body-weight,0x46,kg", "saw the value \"0x46\""),
        ("2026-03-01T08:30:00Z,body-weight,nan,kg", "saw the value \"nan\""),
        ("2026-03-01T08:30:00Z,body-weight,1e2,kg", "saw the value \"1e2\""),
        ("2026-03-01T08:30:00Z,body-weight,.5,kg", "saw the value \".5\""),
        ("2026-03-01T08:30:00Z,body-weight,70", "saw 3 cells, expected 4"),
        ("2026-03-01T08:30:00Z,body-weight,70,kg,1", "saw 5 cells, expected 4"),
    ])
    func `as CSV refuses a wrong line and takes the next`(_ line: String, _ message: String) throws {
        let good = "2026-03-01T08:30:00Z,body-weight,70,kg"
        let items = try items("time,kind,value,unit\n\(line)\n\(good)\n", .csv)
        try #require(items.count == 2)
        let fault = fault { _ = try items[0].entry.get() }
        #expect(fault.hasPrefix(message), "\(fault)")
        #expect(try values(items[1]) == [ObservedValue(.bodyWeight, 70, .spot)])
    }

    @Test func `as FHIR gives the values of an Observation`() throws {
        let weight = try #require(try items(ObservationSample.weight, .json).first).entry.get()
        #expect(weight.values == [ObservedValue(.bodyWeight, 68.2, .spot)])
        #expect(weight.id == "w-2" && weight.subject == "Patient/4711")
        let pressure = try #require(try items(ObservationSample.pressure, .json).first).entry.get()
        #expect(
            pressure.values == [
                ObservedValue(.systolicPressure, 120.0102, .spot), ObservedValue(.diastolicPressure, 80, .spot),
            ])
    }

    @Test func `as a Bundle gives each Observation by itself, right or wrong`() throws {
        let items = try items(ObservationSample.bundle, .json)
        #expect(items.map(\.place) == ["entry 2", "entry 3", "entry 4", "entry 5"])
        #expect(items.map { (try? $0.entry.get().values.count) ?? 0 } == [1, 0, 0, 2])
        #expect(
            fault { _ = try items[1].entry.get() }.hasPrefix("saw no member \"entry.Index 2.resource.code\""))
    }

    @Test func `as NDJSON gives an Observation a line, and names the wrong line`() throws {
        let items = try items(ObservationSample.ndjson, .ndjson)
        #expect(items.map(\.place) == ["line 1", "line 3", "line 4"])
        #expect(items.map { (try? $0.entry.get().values.count) ?? 0 } == [1, 2, 0])
        #expect(fault { _ = try items[2].entry.get() }.hasPrefix("saw the resourceType \"Patient\""))
    }

    @Test(arguments: [
        ("\"final\"", "\"preliminary\"", "saw the status \"preliminary\""),
        ("\"final\"", "\"entered-in-error\"", "saw the status \"entered-in-error\""),
        ("29463-7", "8302-2", "saw the code \"http://loinc.org|8302-2\""),
        ("http://loinc.org", "http://snomed.info/sct", "saw the code"),
        ("http://unitsofmeasure.org", "http://example.org", "saw a quantity without its UCUM code"),
        ("\"code\":\"kg\"", "\"code\":\"lbs\"", "saw the unit \"lbs\""),
        ("\"value\":68.2", "\"value\":\"68.2\"", "saw another type of value at \"valueQuantity.value\""),
        ("\"value\":68.2,", "", "saw no value of body-weight, expected a valueQuantity"),
        ("effectiveDateTime", "effectivePeriod", "saw neither effectiveDateTime nor effectiveInstant"),
        ("T09:30:00+01:00", "", "saw the time \"2026-03-01\""),
    ])
    func `as FHIR says why an Observation is refused`(_ old: String, _ new: String, _ message: String) throws {
        let text = ObservationSample.weight.replacing(old, with: new, maxReplacements: 1)
        try #require(text != ObservationSample.weight)
        let items = try items(text, .json)
        let fault = fault { _ = try items[0].entry.get() }
        #expect(fault.hasPrefix(message), "\(fault)")
        #expect(fault.contains(", expected ") && fault.contains(": "))
    }

    @Test func `with codes of two kinds is refused`() throws {
        let both = ObservationSample.weight.replacing(
            "\"coding\":[", with: "\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"8867-4\"},")
        #expect(
            fault { _ = try items(both, .json)[0].entry.get() }
                .hasPrefix("saw codes of body-weight and heart-rate"))
    }

    @Test func `cut anywhere gives an entry or a reason, and never more than the whole`() throws {
        for (text, format) in [
            (ObservationSample.csv, ObservationFormat.csv), (ObservationSample.bundle, .json),
            (ObservationSample.ndjson, .ndjson),
        ] {
            let bytes = Array(text.utf8)
            let whole = try ObservationParser.items(in: bytes, format).count
            for count in 0..<bytes.count {
                let items = (try? ObservationParser.items(in: Array(bytes.prefix(count)), format)) ?? []
                #expect(items.count <= whole)
                // Half an object is no object.
                if format == .json { #expect(items.isEmpty, "\(count)") }
            }
        }
    }

    @Test func `that is too large is refused unread`() {
        let bytes = [UInt8](repeating: 0x20, count: ObservationParser.largestFile + 1)
        for format in ObservationFormat.allCases {
            #expect(fault { _ = try ObservationParser.items(in: bytes, format) }.hasPrefix("saw 1048577 bytes"))
        }
    }

    @Test func `of too many entries is refused before they are read`() {
        let most = ObservationParser.mostEntries
        func numbers(_ count: Int, by mark: String) -> String {
            [String](repeating: "1", count: count).joined(separator: mark)
        }
        func refusal(_ text: String, _ format: ObservationFormat) -> String {
            fault { _ = try items(text, format) }
        }
        let heading = "time,kind,value,unit\n"
        func bundle(_ count: Int) -> String {
            #"{"resourceType":"Bundle","type":"batch","entry":[\#(numbers(count, by: ","))]}"#
        }
        #expect(refusal(heading + numbers(most, by: "\n"), .csv) == "no fault")
        #expect(refusal(bundle(most), .json) == "no fault")
        for (text, format, seen) in [
            (heading + numbers(500_000, by: "\n"), ObservationFormat.csv, "saw 500001 lines"),
            (heading + numbers(most + 1, by: "\r"), .csv, "saw 20002 lines, expected at most 20001 in a file"),
            (numbers(500_000, by: "\n"), .ndjson, "saw 500000 lines, expected at most 20000 in a file"),
            (bundle(most + 1), .json, "saw 20001 entries, expected at most 20000 in a file: divide it"),
            (bundle(500_000), .json, "saw 65537 values and more, expected at most 65536"),
        ] {
            let refusal = refusal(text, format)
            #expect(refusal.hasPrefix(seen), "\(refusal)")
        }
    }

    @Test func `of hostile bytes ends nothing`() {
        let seeds = [
            ObservationSample.csv, ObservationSample.weight, ObservationSample.bundle, ObservationSample.ndjson,
        ].map { Array($0.utf8) }
        Campaign("source-entry").run(seeds: seeds) { bytes in
            for format in ObservationFormat.allCases { _ = try? ObservationParser.items(in: bytes, format) }
            _ = ObservationParser.entry(inLine: bytes)
        }
    }

    @Test func `has its form by the suffix of its name`() {
        #expect(ObservationFormat(fileName: "a.CSV") == .csv)
        #expect(ObservationFormat(fileName: "a.b.ndjson") == .ndjson)
        for name in ["a", "a.xml", ".csv", "csv", "a.csv.tmp"] {
            #expect(ObservationFormat(fileName: name) == nil, "\(name)")
        }
    }
}

@Suite struct `A line of a program` {
    private func values(_ line: String) -> [ObservedValue]? {
        try? ObservationParser.entry(inLine: Array(line.utf8)).get().values
    }

    @Test func `is an Observation or four or five cells`() {
        #expect(values("2026-03-01T08:30:00Z,glucose,5.5,mmol/L") == [ObservedValue(.glucose, 99.0858, .spot)])
        #expect(values("2026-03-01T08:30:00Z,glucose,99,mg/dL,g-1\r") == [ObservedValue(.glucose, 99, .spot)])
        #expect(values(ObservationSample.oneLine(ObservationSample.weight))?.count == 1)
        for line in [
            "", "time,kind,value,unit", "2026-03-01T08:30:00Z,glucose,99", "[1]", "{}", ",,,,", "\u{0}",
        ] {
            #expect(values(line) == nil, "\(line)")
        }
    }

    @Test(arguments: [
        (QuantityKind.bodyTemperature, 98.6, "[degF]", 37.0), (.bodyTemperature, 310.15, "K", 37),
        (.bodyWeight, 150, "[lb_av]", 68.0389), (.bodyWeight, 68_200, "g", 68.2),
        (.systolicPressure, 16, "kPa", 120.0102), (.oxygenSaturation, 0.97, "1", 97),
        (.heartRate, 1.2, "/s", 72), (.heartRate, 72, "{beats}/min", 72), (.glucose, 10, "mmol/L", 180.156),
        (.rrInterval, 0.8, "s", 800), (.runningSpeed, 36, "km/h", 10), (.energyExpended, 1, "kcal", 4.184),
        (.bodyWeight, 12, "[stone_av]", 76.2035),
    ])
    func `has its value converted by the definition of the unit`(
        _ kind: QuantityKind, _ value: Double, _ unit: String, _ expected: Double
    ) {
        #expect(kind.value(value, in: unit) == expected)
    }

    @Test func `understands the unit of each kind, and no unit of another`() {
        for kind in QuantityKind.allCases {
            #expect(kind.units.first == kind.coding.unit)
            #expect(kind.value(1, in: kind.coding.unit) == 1)
            for unit in ["", "{x}", "kg/m2", "degF", "bpm"] { #expect(kind.value(1, in: unit) == nil) }
        }
    }
}
