import Parties
import Testing

/// Rules of VAT numbers.
struct VATNumberTests {
    @Test(arguments: [
        // The Commission's and companies' own published numbers.
        ("IT00743110157", "IT00743110157"), ("it 0074.3110-157", "IT00743110157"),
        ("IT00159560366", "IT00159560366"), ("ATU12345678", "ATU12345678"), ("DE123456789", "DE123456789"),
        ("FRXX123456789", "FRXX123456789"), ("NL123456789B01", "NL123456789B01"),
        ("EL123456789", "EL123456789"),
        ("ESX1234567X", "ESX1234567X"), ("RO99", "RO99"),
    ])
    func `a number of a country of the union is read in its canonical form`(text: String, canonical: String)
        throws
    {
        #expect(try VATNumber(text).text == canonical)
    }

    @Test func `an Italian number with a wrong digit is refused, whichever digit it is`() throws {
        let good = Array("00743110157")
        for place in good.indices {
            for digit in "0123456789" where digit != good[place] {
                var wrong = good
                wrong[place] = digit
                #expect(throws: VATNumber.Flaw.checkDigit) { try VATNumber("IT" + String(wrong)) }
            }
        }
        #expect(throws: VATNumber.Flaw.checkDigit) { try VATNumber("IT00000000000") }
    }

    @Test(arguments: [
        "", "IT", "IT0074311015", "IT007431101577", "IT0074311015A", "US123456789", "GB123456789", "DE12345678",
        "ATX12345678", "00743110157", "IT007431101５7", "NL123456789C01", "IT00743110157\u{0}",
        String(repeating: "1", count: 100_000),
    ])
    func `anything else is refused by its form`(text: String) {
        #expect(throws: VATNumber.Flaw.form) { try VATNumber(text) }
    }
}
