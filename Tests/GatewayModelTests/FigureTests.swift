import GatewayModel
import Testing

@Suite struct `A figure` {
    @Test(arguments: [
        (0.04, "0"), (0.05, "0.1"), (-0.04, "0"), (-0.05, "-0.1"), (0.95, "1"), (36.64, "36.6"), (152, "152"),
        (-152.25, "-152.3"), (.nan, "0"), (.infinity, "0"), (1e300, "1000000"),
    ])
    func `has tenths where there are any, rounded away from zero`(value: Double, text: String) {
        #expect(Figure(value, in: .english).text == text)
    }

    @Test func `has the mark of the language, and takes the singular for one`() {
        #expect(Figure(36.6, in: .italian).text == "36,6")
        #expect(Figure(0.96, in: .italian).isOne && !Figure(1.1, in: .italian).isOne)
    }
}
