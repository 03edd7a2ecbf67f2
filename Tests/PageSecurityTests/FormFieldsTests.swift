import PageSecurity
import Testing

@Suite struct `Fields of a form` {
    @Test func `names and values are decoded`() {
        let fields = FormFields("name=Maria+Rossi&note=50%25%26&empty=&alone".utf8)
        #expect(
            fields?.values == ["name": "Maria Rossi", "note": "50%&", "empty": "", "alone": ""])
        #expect(fields?["name"] == "Maria Rossi")
        #expect(fields?["other"] == nil)
        #expect(FormFields("".utf8) == FormFields.none)
    }

    @Test(arguments: [
        "a=%00", "a=x%00y", "%00=1", "a=%", "a=%4", "a=%GG", "a=%+1", "a=%C3", "a=%ED%A0%80", "a=1&a=2",
    ])
    func `a NUL, a broken percent sign, text that is not UTF-8 and a doubled name are refused`(text: String) {
        #expect(FormFields(text.utf8) == nil)
    }

    @Test func `more than 64 fields are refused`() {
        func form(_ count: Int) -> String { (1...count).map { "f\($0)=" }.joined(separator: "&") }
        #expect(FormFields(form(64).utf8)?.values.count == 64)
        #expect(FormFields(form(65).utf8) == nil)
    }

    @Test func `in a path a plus sign stays`() {
        #expect(PercentCoding.decode("a+b%2Fc".utf8, plusIsSpace: false) == "a+b/c")
    }
}
