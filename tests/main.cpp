// The main() of every test program. What could not be tested here is not said to have passed: a program that skipped
// all that it was asked for ends with 77, which ctest shows as skipped.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  constexpr int kSkipped = 77;
  return failed ? failed : tests.skipped_test_count() > 0 && tests.successful_test_count() == 0 ? kSkipped : 0;
}
