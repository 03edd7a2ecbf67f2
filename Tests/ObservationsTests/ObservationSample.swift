import GatewayModel

/// Files and lines as programs write them.
enum ObservationSample {
    static let csv = """
        time,kind,value,unit,id
        2026-03-01T09:30:00+01:00,body-weight,150.5,[lb_av],w-1
        2026-03-01T08:31:00Z,heart-rate,72,{beats}/min,
        """
    static let weight = """
        {"resourceType":"Observation","id":"w-2","status":"final","category":[{"text":"x"}],
         "code":{"coding":[{"system":"http://loinc.org","code":"29463-7"}],"text":"Weight"},
         "subject":{"reference":"Patient/4711"},"effectiveDateTime":"2026-03-01T09:30:00+01:00",
         "valueQuantity":{"value":68.2,"unit":"kg","system":"http://unitsofmeasure.org","code":"kg"}}
        """
    static let pressure = """
        {"resourceType":"Observation","status":"final",
         "code":{"coding":[{"system":"http://loinc.org","code":"85354-9"}]},
         "effectiveDateTime":"2026-03-01T08:30:00Z",
         "component":[
          {"code":{"coding":[{"system":"http://loinc.org","code":"8480-6"}]},
           "valueQuantity":{"value":16,"system":"http://unitsofmeasure.org","code":"kPa"}},
          {"code":{"coding":[{"system":"http://loinc.org","code":"8462-4"}]},
           "valueQuantity":{"value":80,"system":"http://unitsofmeasure.org","code":"mm[Hg]"}},
          {"code":{"coding":[{"system":"http://loinc.org","code":"8478-0"}]},
           "dataAbsentReason":{"coding":[{"code":"unknown"}]}}]}
        """
    static let bundle = """
        {"resourceType":"Bundle","type":"collection","entry":[
         {"resource":{"resourceType":"Patient","id":"4711"}},{"resource":\(weight)},
         {"resource":{"resourceType":"Observation","status":"final"}},{"resource":7},{"resource":\(pressure)}]}
        """
    static let ndjson = oneLine(weight) + "\n\n" + oneLine(pressure) + "\n{\"resourceType\":\"Patient\"}\n"

    static func oneLine(_ text: String) -> String { text.split(separator: "\n").joined(separator: " ") }
}
